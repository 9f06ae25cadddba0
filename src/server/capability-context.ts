import { connectProvider } from '../capabilities/adapters/provider.ts';
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
): Promise<Pick<Context, 'providers' | 'signReceipt' | 'signDocument'>> {
  const {
    videoProviderUrl,
    videoProviderSecret,
    researchProviderUrl,
    researchProviderSecret,
    receiptSigningKey,
    allowPrivateTargets: allowPrivate = false,
  } = settings;
  const now = () => new Date();
  return {
    providers: {
      ...(videoProviderUrl &&
        videoProviderSecret && {
          video: connectProvider({
            url: videoProviderUrl,
            secret: videoProviderSecret,
            allowPrivate,
            now,
          }),
        }),
      ...(researchProviderUrl &&
        researchProviderSecret && {
          research: connectProvider({
            url: researchProviderUrl,
            secret: researchProviderSecret,
            allowPrivate,
            now,
          }),
        }),
    },
    ...(receiptSigningKey && (await createDocumentSigner(receiptSigningKey))),
  };
}
