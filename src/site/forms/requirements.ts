import type { Action } from '../../registry/schemas/action.ts';

export const REQUIREMENTS_TEXT =
  'What the person must bring, pay or fulfill, depending on the fields.';

/** IDs of the choices to which something applies, by field. */
type Choices = Readonly<Record<string, readonly string[]>>;

/**
 * Whether something that applies only to some choices (listed by field) applies to the submitted
 * values.
 */
export const matchesChoices = (
  choices: Choices | undefined,
  values: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(choices ?? {}).every(([name, ids]) => ids.some((id) => id === values[name]));

/** Lists an action’s requirements for every request, and those for the choices that apply. */
const listApplying = (
  action: Pick<Action, 'bring'> | undefined,
  applies: (choices: Choices) => boolean,
): string[] =>
  (action?.bring ?? []).flatMap((entry) => {
    if (typeof entry === 'string') return [entry];
    return applies(entry.for) ? [entry.text] : [];
  });

/**
 * Lists what a person must bring, pay or fulfill: everything in the action or, with submitted
 * values, only what applies to them.
 */
export const listRequirements = (
  action: Pick<Action, 'bring'> | undefined,
  values?: Readonly<Record<string, unknown>>,
): string[] => listApplying(action, (choices) => !values || matchesChoices(choices, values));

/** Lists what a person must bring, pay or fulfill for an item, whatever else the person chooses. */
export const listItemRequirements = (
  action: Pick<Action, 'bring'>,
  itemField: string,
  item: string,
): string[] => listApplying(action, (choices) => choices[itemField]?.includes(item) ?? true);
