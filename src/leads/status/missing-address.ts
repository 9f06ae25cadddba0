import type { Action } from '../../registry/schemas/action.ts';
import { listCustomerMessages, type LogEntry } from '../lead-log.ts';
import { removeTimes } from './agreement.ts';

/** The parts of a request in which the customer may have written an address. */
interface WrittenRequest {
  fields?: Readonly<Record<string, unknown>> | undefined;
  entries?: readonly Pick<LogEntry, 'actor' | 'note'>[] | undefined;
}

/** A house number with a street: “22 Elm St”, “4100 66th Street N”. */
const STREET_ADDRESS_PATTERN =
  /\b\d+\w?\s+(?:[\p{L}\d.'\u2019-]+\s+){1,4}?(?:st|street|ave|avenue|rd|road|dr|drive|ln|lane|blvd|boulevard|ct|court|way|pl|place|ter|terrace|cir|circle|hwy|highway|pkwy|parkway|loop|trail)\b/iu;

/**
 * A number next to a capitalized word, as in other forms of addresses: “Calle Pino 12”, “4100
 * Bayshore”. Years and small numbers before a word usually describe the request instead.
 */
const POSSIBLE_ADDRESS_PATTERN =
  /\p{Lu}\p{L}+[.,]?\s+(?!(?:19|20)\d{2}\b)\d{1,6}\p{L}?(?=[ \t]*(?:[,;]|\.(?!\d)|$))|\b(?!(?:19|20)\d{2}\b)\d{2,6}\p{L}?\s+\p{Lu}\p{L}+/mu;

export const hasAddress = (value: unknown): boolean =>
  typeof value === 'string' && STREET_ADDRESS_PATTERN.test(value);

/** Whether the provider comes to the customer, who has not clearly written a street address. */
export const lacksAddress = (
  action: Action | undefined,
  { fields = {}, entries = [] }: WrittenRequest,
): boolean =>
  action?.visitField !== undefined &&
  !Object.values(fields).some(hasAddress) &&
  !listCustomerMessages(entries).some(hasAddress);

/**
 * Whether the provider should ask for the address, because nothing that the customer wrote may be
 * one.
 */
export const mustAskForAddress = (action: Action | undefined, log: WrittenRequest): boolean => {
  if (action?.visitField === undefined || !lacksAddress(action, log)) return false;
  const described = log.fields?.[action.visitField];
  const texts = [
    ...(typeof described === 'string' ? [described] : []),
    ...listCustomerMessages(log.entries ?? []),
  ];
  return !texts.some((words) => POSSIBLE_ADDRESS_PATTERN.test(removeTimes(words)));
};
