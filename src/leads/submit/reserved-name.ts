import type { Network } from '../../registry/network.ts';
import type { Action } from '../../registry/action.ts';
import type { InputFault } from '../../operation/problem.ts';
import { isObject } from '../../site/json-object.ts';
import { formatPointer } from '../../operation/json-pointer.ts';
import { fill } from '../../text/fill.ts';
import { storefrontName } from '../../text/index.ts';

/** Words at the end of a company's name that many companies use. */
const COMMON_ENDING =
  /(?: (?:co|company|corp|corporation|group|holdings|inc|incorporated|limited|llc|ltd|services?))+ $/;

/** The words of a name in lowercase, each between spaces. */
const wordsOf = (name: string): string =>
  ` ${name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s\b/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/**
 * Errors for a storefront whose name contains the name of the network or its operator: its preview
 * page is public before anyone has checked it.
 */
export function findReservedNameFaults(
  { effect }: Pick<Action, 'effect'>,
  fields: unknown,
  { name: networkName, organization }: Pick<Network, 'name' | 'organization'>,
  fieldsPath: readonly string[],
): InputFault[] {
  if (effect?.kind !== 'storefront' || !isObject(fields)) return [];
  const name = fields[effect.nameField];
  if (typeof name !== 'string') return [];
  const words = wordsOf(name);
  const reservedName = [networkName, organization.name].find((reserved) => {
    const reservedWords = wordsOf(reserved).replace(COMMON_ENDING, ' ');
    return reservedWords.trim() && words.includes(reservedWords);
  });
  return reservedName === undefined
    ? []
    : [
        {
          pointer: formatPointer(...fieldsPath, effect.nameField),
          message: fill(storefrontName.reserved, {
            name: reservedName,
            phone: organization.phone,
            email: organization.email,
          }),
        },
      ];
}
