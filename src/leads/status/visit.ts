import type { Action } from '../../registry/action.ts';
import type { Subsite } from '../../registry/subsite.ts';
import { hoursInOneLine } from '../../site/calendar/opening-hours.ts';
import { addressInOneLine } from '../../site/words/street-address.ts';
import { fill } from '../../text/fill.ts';
import { visit as text } from '../../text/index.ts';

/** Where and when a confirmed request takes place, for the person. */
export interface Visit {
  /** Address of the provider, if the person goes there. */
  address: string | undefined;
  /** Names and values. */
  facts: readonly (readonly [name: string, value: string])[];
}

/**
 * Where and when a request takes place: at the provider during its hours, or at the customer's, at
 * a time that both agree on. `words` are those of the confirmation, which may name it.
 */
export function visitOf(
  subsite: Subsite | undefined,
  action: Action | undefined,
  fields: Readonly<Record<string, string | number>>,
  words?: string,
): Visit {
  if (!subsite) return { address: undefined, facts: [] };
  const provider = subsite.title;
  if (action?.visitField !== undefined) {
    const described = String(fields[action.visitField] ?? '').trim() !== '';
    return {
      address: undefined,
      facts: [
        [text.where, described ? text.asDescribed : fill(text.sendAddress, { provider })],
        [text.time, fill(words === undefined ? text.agreeHour : text.writtenHour, { provider })],
      ],
    };
  }
  const { hours, afterHours } = subsite;
  const address = subsite.address && addressInOneLine(subsite.address);
  return {
    address,
    facts: [
      ...(address === undefined ? [] : [[text.where, address] as const]),
      ...(hours ? [[text.hours, hoursInOneLine(hours, afterHours)] as const] : []),
    ],
  };
}
