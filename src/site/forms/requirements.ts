import type { Action } from '../../registry/action.ts';

export const REQUIREMENTS_TEXT =
  'What the person must bring, pay or fulfill, depending on the fields.';

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
      : !values ||
          Object.entries(entry.for).every(([name, ids]) => ids.some((id) => id === values[name]))
        ? [entry.text]
        : [],
  );
