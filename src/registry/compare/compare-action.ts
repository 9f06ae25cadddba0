import type { Action } from '../schemas/action.ts';
import { capabilityFieldsOf } from '../../site/capability-record.ts';
import {
  createChildComparison,
  compareChoices,
  compareProperties,
  compareValues,
  addChange,
  matchByKey,
  type Change,
  type Comparison,
} from './change.ts';
import { keysOf } from '../../site/json-object.ts';
import type { FieldTerms } from '../../site/contract.ts';

type Fields = Readonly<Record<string, FieldTerms>>;

type Constraint = Exclude<keyof FieldTerms, 'type' | 'required' | 'enum' | 'default'>;

/**
 * For each key that restricts a field's values, a test of whether a change rejects values that were
 * accepted before.
 */
const CONSTRAINTS: Record<Constraint, (before: FieldTerms, after: FieldTerms) => boolean> = {
  minimum: (before, after) => (after.minimum ?? -Infinity) > (before.minimum ?? -Infinity),
  maximum: (before, after) => (after.maximum ?? Infinity) < (before.maximum ?? Infinity),
  integer: (_, after) => after.integer === true,
  item: (_, after) => after.item === true,
  notBefore: (_, after) => after.notBefore !== undefined,
  past: (before, after) => before.past === true && after.past !== true,
  content: ({ content: before }, { content: after }) =>
    before?.kind === 'offerings' && after?.kind === 'offerings'
      ? after.max < before.max
      : after !== undefined,
};

function compareField(
  comparison: Comparison,
  name: string,
  before: FieldTerms,
  after: FieldTerms,
): void {
  compareValues(comparison, `${name}: type`, before.type, after.type, true);
  if (!before.required && after.required) addChange(comparison, `${name} became required`, true);
  if (before.required && !after.required) addChange(comparison, `${name} became optional`);
  compareChoices(comparison, name, before.enum, after.enum);
  for (const constraint of keysOf(CONSTRAINTS))
    compareValues(
      comparison,
      `${name}: ${constraint}`,
      before[constraint],
      after[constraint],
      CONSTRAINTS[constraint](before, after),
    );
  compareProperties(
    comparison,
    before,
    after,
    ['type', 'required', 'enum', ...keysOf(CONSTRAINTS)],
    `${name}: `,
  );
}

/** Reports changes to the input of an action. */
export function compareFields(comparison: Comparison, before: Fields, after: Fields): void {
  const { removed, added, pairs } = matchByKey(
    Object.entries(before),
    Object.entries(after),
    ([name]) => name,
  );
  for (const [name] of removed) addChange(comparison, `${name} was removed`, true);
  for (const [name, field] of added)
    addChange(
      comparison,
      `${name} was added as ${field.required ? 'required' : 'optional'}`,
      field.required,
    );
  for (const [[name, oldField], [, newField]] of pairs)
    compareField(comparison, name, oldField, newField);
}

/** Reports changes to the input of a capability, except those already reported for the action. */
export function compareCapabilityFields(
  comparison: Comparison,
  before: Fields,
  after: Fields,
  own: readonly Change[],
): void {
  const found: Change[] = [];
  compareFields({ subject: `${comparison.subject} (capability)`, changes: found }, before, after);
  comparison.changes.push(
    ...found.filter(({ change }) => !own.some((other) => other.change === change)),
  );
}

/** Compares the input of an action's capability, which may differ from the input of the action. */
function compareActionCapability(
  comparison: Comparison,
  before: Action,
  after: Action,
  own: readonly Change[],
): void {
  if (before.capability && !after.capability)
    addChange(comparison, 'is no longer offered as a capability', true);
  if (!before.capability && after.capability) addChange(comparison, 'is offered as a capability');
  if (!before.capability || !after.capability) return;
  compareCapabilityFields(comparison, capabilityFieldsOf(before), capabilityFieldsOf(after), own);
  compareProperties(
    createChildComparison(comparison, `${comparison.subject} (capability)`),
    before.capability,
    after.capability,
    ['fields'],
  );
}

export function noteAddedAction(
  comparison: Comparison,
  { title, fields, capability }: Action,
): void {
  const names = Object.entries(fields).map(
    ([name, { required }]) => `${name} (${required ? 'required' : 'optional'})`,
  );
  addChange(
    comparison,
    `was added, “${title}”, with ${names.length ? `input ${names.join(', ')}` : 'no input'}`,
  );
  if (capability) addChange(comparison, 'is offered as a capability');
}

export function compareAction(comparison: Comparison, before: Action, after: Action): void {
  const fields: Change[] = [];
  compareFields({ ...comparison, changes: fields }, before.fields, after.fields);
  comparison.changes.push(...fields);
  compareActionCapability(comparison, before, after, fields);
  for (const key of ['effect', 'salesTaxPercent'] as const)
    compareValues(comparison, key, before[key], after[key], true);
  compareProperties(comparison, before, after, [
    'fields',
    'capability',
    'effect',
    'salesTaxPercent',
  ]);
}
