import { connectJobProvider } from '../capabilities/adapters/job-provider.ts';
import type { Context } from '../operation/context.ts';
import { createDocumentSigner } from '../capabilities/receipt-signature.ts';
import type { Settings } from '../settings.ts';

export type CapabilitySettings = Partial<
  Pick<
    Settings,
    | 'videoProviderUrl'
    | 'videoProviderSecret'
    | 'researchProviderUrl'
    | 'researchProviderSecret'
    | 'receiptSigningKey'
    | 'allowPrivateTargets'
  >
>;

/** The configured providers and signers, for the context; absent if not configured. */
export async function createCapabilityContext(
  settings: CapabilitySettings,
): Promise<Pick<Context, 'jobProviders' | 'signReceipt' | 'signDocument'>> {
  const { allowPrivateTargets: allowPrivate = false, receiptSigningKey } = settings;
  const connect = (url: string | undefined, secret: string | undefined) =>
    url && secret
      ? connectJobProvider({ url, secret, allowPrivate, now: () => new Date() })
      : undefined;
  const video = connect(settings.videoProviderUrl, settings.videoProviderSecret);
  const research = connect(settings.researchProviderUrl, settings.researchProviderSecret);
  return {
    jobProviders: { ...(video && { video }), ...(research && { research }) },
    ...(receiptSigningKey && (await createDocumentSigner(receiptSigningKey))),
  };
}
