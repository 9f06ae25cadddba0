import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Action } from '../registry/action.ts';
import type { Pricing, Subsite } from '../registry/subsite.ts';
import { publishedPrices } from './prices.ts';

type Field = Action['fields'][string];

/** What describes a field to people, or fills it in for them: nobody relies on it. */
const describing = ['description', 'example', 'label', 'hint', 'options', 'known'] as const;

/** What a field takes: its kind, bounds and choices. */
export type FieldTerms = Omit<Field, (typeof describing)[number]>;

/** What a caller of an action relies on, contract.md “Proof”. */
export interface Contract {
  subsite: string;
  verb: string;
  leadEndpoint: string;
  fields: Readonly<Record<string, FieldTerms>>;
  /** What its capability takes, where that is not what the action takes. */
  capabilityFields?: Readonly<Record<string, FieldTerms>>;
  /** Published prices of its subsite. */
  pricing: readonly Pricing[];
  effect?: Action['effect'];
  respondWithinHours: number;
  retentionDays: number;
}

/** A contract with its canonical JSON (RFC 8785) and the digest of that. */
export interface DigestedContract {
  contract: Contract;
  text: string;
  /** `sha-256:` and 64 hexadecimal digits. */
  digest: string;
}

/** What the digest of a contract looks like. */
export const CONTRACT_PATTERN = '^sha-256:[0-9a-f]{64}$';

const termsOf = (fields: Action['fields']): Contract['fields'] =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      Object.fromEntries(
        Object.entries(field).filter(([key]) => !(describing as readonly string[]).includes(key)),
      ) as FieldTerms,
    ]),
  );

function digested(subsite: Subsite, action: Action): DigestedContract {
  const { verb, fields, capability, effect, respondWithinHours, retentionDays } = action;
  const contract: Contract = {
    subsite: subsite.name,
    verb,
    leadEndpoint: subsite.leadEndpoint,
    fields: termsOf(fields),
    ...(capability?.fields && { capabilityFields: termsOf({ ...fields, ...capability.fields }) }),
    pricing: publishedPrices(subsite) ?? [],
    ...(effect && { effect }),
    respondWithinHours,
    retentionDays,
  };
  const text = canonicalize(contract)!;
  return {
    contract,
    text,
    digest: `sha-256:${createHash('sha256').update(text).digest('hex')}`,
  };
}

const known = new WeakMap<Subsite, Map<string, DigestedContract>>();

/** The contract of an action of a subsite. Records do not change, so each is digested once. */
export function contractOf(subsite: Subsite, action: Action): DigestedContract {
  let ofSubsite = known.get(subsite);
  if (!ofSubsite) known.set(subsite, (ofSubsite = new Map<string, DigestedContract>()));
  let contract = ofSubsite.get(action.verb);
  if (!contract) ofSubsite.set(action.verb, (contract = digested(subsite, action)));
  return contract;
}
