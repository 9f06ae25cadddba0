import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { memoize } from './memoize.ts';
import type { Action } from '../registry/schemas/action.ts';
import type { Pricing, Subsite } from '../registry/schemas/subsite.ts';
import { publishedPricesOf } from './prices/prices.ts';

type Field = Action['fields'][string];

/** Keys that only describe, prefill or flag a field; clients do not rely on them. */
const descriptiveKeys = [
  'description',
  'example',
  'label',
  'hint',
  'options',
  'time',
  'place',
  'known',
  'initial',
  'more',
  'emergency',
  'today',
  'services',
] as const;

export type FieldTerms = Omit<Field, (typeof descriptiveKeys)[number]>;

/** The terms that a caller of an action relies on. */
export interface Contract {
  subsite: string;
  verb: string;
  leadEndpoint: string;
  fields: Readonly<Record<string, FieldTerms>>;
  /** The capability's input, if it differs from the action's input. */
  capabilityFields?: Readonly<Record<string, FieldTerms>>;
  /** Published prices of the action’s subsite. */
  pricing: readonly Pricing[];
  effect?: Action['effect'];
  salesTaxPercent?: number;
  respondWithinHours: number;
  retentionDays: number;
}

/** Format of a contract digest. */
export const CONTRACT_PATTERN = '^sha-256:[0-9a-f]{64}$';

const termsOf = (fields: Action['fields']): Contract['fields'] =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      Object.fromEntries(
        Object.entries(field).filter(
          ([key]) => !(descriptiveKeys as readonly string[]).includes(key),
        ),
      ) as FieldTerms,
    ]),
  );

/** The contract of a subsite's action. */
export function contractOf(subsite: Subsite, action: Action): Contract {
  const { verb, fields, capability, effect, salesTaxPercent, respondWithinHours, retentionDays } =
    action;
  return {
    subsite: subsite.name,
    verb,
    leadEndpoint: subsite.leadEndpoint,
    fields: termsOf(fields),
    ...(capability?.fields && { capabilityFields: termsOf({ ...fields, ...capability.fields }) }),
    pricing: publishedPricesOf(subsite) ?? [],
    ...(effect && { effect }),
    ...(salesTaxPercent !== undefined && { salesTaxPercent }),
    respondWithinHours,
    retentionDays,
  };
}

/** Canonical JSON (RFC 8785) of a contract, from which its digest is computed. */
export const serializeContract = (contract: Contract): string => canonicalize(contract)!;

const digestsOf = memoize((subsite: Subsite) =>
  memoize((action: Action) => {
    const text = serializeContract(contractOf(subsite, action));
    return `sha-256:${createHash('sha256').update(text).digest('hex')}`;
  }),
);

/** `sha-256:` and 64 hexadecimal digits; cached because records do not change. */
export const digestContract = (subsite: Subsite, action: Action): string =>
  digestsOf(subsite)(action);
