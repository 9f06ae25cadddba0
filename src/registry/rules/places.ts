import type { Fields } from '../../fields/fields.ts';
import type { Action } from '../schemas/action.ts';
import type { Item } from '../schemas/catalog.ts';
import type { RecordPath } from '../fault.ts';
import type { Subsite } from '../schemas/subsite.ts';
import type { Records, Violation } from './rule.ts';

/** Creates a violation in a part of a record; without a path, the part itself is at fault. */
export type CreateViolation = (problem: string, path?: RecordPath) => Violation;

/** Returns a function that creates violations in a record, or in its part at `start`. */
export const createViolationFactory =
  (record: string, ...start: RecordPath): CreateViolation =>
  (problem, path = []) => ({ record, path: [...start, ...path], problem });

/** Yields every action, with its subsite and a function that creates its violations. */
export function* eachAction({ subsites }: Pick<Records, 'subsites'>): Generator<{
  subsite: Subsite;
  action: Action;
  fault: CreateViolation;
}> {
  for (const subsite of subsites)
    for (const [index, action] of subsite.actions.entries())
      yield {
        subsite,
        action,
        fault: createViolationFactory(`subsites/${subsite.name}`, 'actions', index),
      };
}

/**
 * Lists the fields of an action, and those that its capability replaces or adds, with their paths.
 */
export const inputsOf = ({
  fields,
  capability,
}: Action): { path: RecordPath; fields: Fields }[] => [
  { path: ['fields'], fields },
  { path: ['capability', 'fields'], fields: capability?.fields ?? {} },
];

/** Yields every item of every catalog, with a function that creates its violations. */
export function* eachItem({
  catalogs,
}: Pick<Records, 'catalogs'>): Generator<{ item: Item; fault: CreateViolation }> {
  for (const [name, { items }] of Object.entries(catalogs))
    for (const [index, item] of items.entries())
      yield { item, fault: createViolationFactory(`catalog/${name}`, 'items', index) };
}
