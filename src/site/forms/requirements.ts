import type { Action } from '../../registry/action.ts';

export const REQUIREMENTS_TEXT =
  'What the person must bring, pay or fulfill, depending on the fields.';

/**
 * Whether something that applies only to some choices, given by field, applies to the submitted
 * values.
 */
export const matchesChoices = (
  choices: Readonly<Record<string, readonly string[]>> | undefined,
  values: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(choices ?? {}).every(([name, ids]) => ids.some((id) => id === values[name]));

/**
 * What a person must bring, pay or fulfill: everything that an action lists or, for submitted
 * values, only what applies to them.
 */
export const listRequirements = (
  action: Pick<Action, 'bring'> | undefined,
  values?: Readonly<Record<string, unknown>>,
): string[] =>
  (action?.bring ?? []).flatMap((entry) =>
    typeof entry === 'string'
      ? [entry]
      : !values || matchesChoices(entry.for, values)
        ? [entry.text]
        : [],
  );

/** What a person must bring, pay or fulfill for an item, whatever else they choose. */
export const listItemRequirements = (
  { bring = [] }: Pick<Action, 'bring'>,
  itemField: string,
  item: string,
): string[] =>
  bring.flatMap((entry) => {
    if (typeof entry === 'string') return [entry];
    return (entry.for[itemField]?.includes(item) ?? true) ? [entry.text] : [];
  });
