import { createRequire } from 'node:module';
import type { Call } from '../../operation/operation.ts';
import { suspicions } from '../../text/index.ts';
import { readDomain } from './mistyped-domain.ts';

/** Signs of spam; a suspicion flags a lead but never rejects it. */
export type Suspicion = keyof typeof suspicions;

/** Sentences about why a lead may be spam. Codes from a later release are returned unchanged. */
export const describeSuspicions = (codes: readonly string[]): string[] =>
  codes.map((code) => (suspicions as Readonly<Record<string, string>>)[code] ?? code);

let disposableLists: { domains: ReadonlySet<string>; roots: ReadonlySet<string> } | undefined;

/**
 * The public list of disposable email domains, loaded on first use because it has 120,000 names.
 */
function readDisposableDomains() {
  const require = createRequire(import.meta.url);
  return (disposableLists ??= {
    domains: new Set(require('disposable-email-domains/index.json') as string[]),
    roots: new Set(require('disposable-email-domains/wildcard.json') as string[]),
  });
}

/** Whether the public list contains the domain of an email address. */
export function isDisposable(address: string): boolean {
  const domain = readDomain(address);
  const labels = domain.split('.');
  const { domains, roots } = readDisposableDomains();
  return domains.has(domain) || labels.some((_, index) => roots.has(labels.slice(index).join('.')));
}

export const detectSpamSigns = (
  { isHoneypotFilled }: Pick<Call, 'isHoneypotFilled'>,
  addresses: readonly string[],
): Suspicion[] => [
  ...(isHoneypotFilled ? (['honeypot'] as const) : []),
  ...(addresses.some(isDisposable) ? (['disposable_mail'] as const) : []),
];
