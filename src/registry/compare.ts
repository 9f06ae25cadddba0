import type { Action } from './action.ts';
import type { Field } from './fields.ts';
import type { Registry } from './registry.ts';
import type { Subsite } from './subsite.ts';

/** A difference that agents notice; `breaking` when a client that worked before may fail now. */
export interface Change {
  /** What changed: a subsite, an action, a capability, a route or a link. */
  where: string;
  change: string;
  breaking: boolean;
}

type Entry = [name: string, value: unknown];

interface Walk {
  where: string;
  changes: Change[];
}

const note = ({ where, changes }: Walk, change: string, breaking = false) => changes.push({ where, change, breaking });
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function lists(walk: Walk, noun: string, before: readonly string[] = [], after: readonly string[] = [], removalBreaks = true): void {
  for (const value of after) if (!before.includes(value)) note(walk, `${noun} ${value} was added`);
  for (const value of before) if (!after.includes(value)) note(walk, `${noun} ${value} was removed`, removalBreaks);
}

/** Pairs by key: what left, what came, and what stands in both. */
function pairs<T>(before: readonly T[], after: readonly T[], key: (value: T) => string): { left: T[]; came: T[]; both: [T, T][] } {
  const old = new Map(before.map((value) => [key(value), value]));
  const now = new Set(after.map(key));
  return {
    left: before.filter((value) => !now.has(key(value))),
    came: after.filter((value) => !old.has(key(value))),
    both: after.flatMap((value) => (old.has(key(value)) ? [[old.get(key(value))!, value] as [T, T]] : [])),
  };
}

function compareField(walk: Walk, name: string, before: Field, after: Field): void {
  if (before.type !== after.type) note(walk, `${name} changed its type from ${before.type} to ${after.type}`, true);
  if (!before.required && after.required) note(walk, `${name} became required`, true);
  if (before.required && !after.required) note(walk, `${name} became optional`);
  lists(walk, `${name}: value`, before.enum, after.enum);
  if (before.default !== after.default) note(walk, `${name} has ${after.default === undefined ? 'no default any more' : `the default ${after.default}`}`);
  for (const bound of ['minimum', 'maximum', 'integer', 'notBefore', 'content'] as const)
    if (!same(before[bound], after[bound])) note(walk, `${name}: ${bound} changed`, after[bound] !== undefined);
}

function compareFields(walk: Walk, before: Record<string, Field>, after: Record<string, Field>): void {
  const fields = pairs(Object.entries(before), Object.entries(after), ([name]: Entry) => name);
  for (const [name] of fields.left) note(walk, `${name} was removed`, true);
  for (const [name, field] of fields.came) note(walk, `${name} was added, ${field.required ? 'required' : 'optional'}`, field.required);
  for (const [[name, old], [, now]] of fields.both) compareField(walk, name, old, now);
}

function compareAction(walk: Walk, before: Action, after: Action): void {
  compareFields(walk, before.fields, after.fields);
  if (before.capability && !after.capability) note(walk, 'is no longer offered as a capability', true);
  if (!before.capability && after.capability) note(walk, 'is offered as a capability');
  if (before.capability && after.capability) compareFields({ ...walk, where: `${walk.where} (capability)` }, before.capability.fields ?? {}, after.capability.fields ?? {});
  if (!same(before.effect, after.effect)) note(walk, 'has another effect', true);
  if (before.respondWithinHours !== after.respondWithinHours) note(walk, `is answered within ${after.respondWithinHours} hours instead of ${before.respondWithinHours}`);
}

const plainParts = ['title', 'purpose', 'category', 'schemaType', 'serviceArea', 'availability'] as const;
const addressParts = ['url', 'leadEndpoint', 'leadSource', 'status'] as const;

function compareSubsite(walk: Walk, before: Subsite, after: Subsite): void {
  for (const part of addressParts) if (before[part] !== after[part]) note(walk, `${part} changed from ${before[part]} to ${after[part]}`, true);
  for (const part of plainParts) if (before[part] !== after[part]) note(walk, `${part} changed`);
  lists(walk, 'snapshot', before.jsonEndpoints, after.jsonEndpoints);
  lists(walk, 'tool', before.mcpTools, after.mcpTools);
  if (!same(before.pricing, after.pricing)) note(walk, 'published prices changed');
  if (!same(before.facts, after.facts)) note(walk, 'facts changed');
  if (!same(before.guide, after.guide)) note(walk, 'guide changed');
  if (Boolean(before.capabilities) !== Boolean(after.capabilities)) note(walk, `help and guide are ${after.capabilities ? 'offered' : 'no longer offered'} as capabilities`, !after.capabilities);
  const actions = pairs(before.actions, after.actions, (action) => action.verb);
  for (const { verb } of actions.left) note({ ...walk, where: `${walk.where}.${verb}` }, 'was removed', true);
  for (const { verb } of actions.came) note({ ...walk, where: `${walk.where}.${verb}` }, 'was added');
  for (const [old, now] of actions.both) compareAction({ ...walk, where: `${walk.where}.${now.verb}` }, old, now);
}

/** What changes for agents between two registries, in the order of subsites, capabilities, routes and links. */
export function compareRegistries(before: Registry, after: Registry): Change[] {
  const changes: Change[] = [];
  const at = (where: string): Walk => ({ where, changes });
  const subsites = pairs(before.subsites, after.subsites, (subsite) => subsite.name);
  for (const { name } of subsites.left) note(at(name), 'was removed', true);
  for (const { name } of subsites.came) note(at(name), 'was added');
  for (const [old, now] of subsites.both) compareSubsite(at(now.name), old, now);
  for (const name of new Set([...Object.keys(before.catalogs), ...Object.keys(after.catalogs)])) {
    const items = pairs(before.catalogs[name]?.items ?? [], after.catalogs[name]?.items ?? [], (item) => item.id);
    for (const { id } of items.left) note(at(`${name} item ${id}`), 'was removed');
    for (const { id } of items.came) note(at(`${name} item ${id}`), 'was added');
    for (const [old, now] of items.both) if (!same(old, now)) note(at(`${name} item ${now.id}`), same(old.price, now.price) ? 'changed' : 'has another price');
  }
  const capabilities = pairs(before.capabilities, after.capabilities, (capability) => capability.id);
  for (const { id } of capabilities.left) note(at(id), 'was removed', true);
  for (const { id } of capabilities.came) note(at(id), 'was added');
  for (const [old, now] of capabilities.both) {
    if (!same(old.inputSchema, now.inputSchema)) note(at(now.id), 'input changed', true);
    if (!same([old.pricing, old.costs], [now.pricing, now.costs])) note(at(now.id), 'price changed');
  }
  const routes = pairs(before.routes, after.routes, (route) => route.path);
  for (const { path } of routes.left) note(at(`route ${path}`), 'was removed', true);
  for (const { path } of routes.came) note(at(`route ${path}`), 'was added');
  const links = pairs(before.links, after.links, (link) => link.slug);
  for (const { slug } of links.left) note(at(`/go/${slug}`), 'was removed', true);
  for (const { slug } of links.came) note(at(`/go/${slug}`), 'was added');
  for (const [old, now] of links.both) if (old.target !== now.target) note(at(`/go/${now.slug}`), `leads to ${now.target} instead of ${old.target}`);
  return changes;
}
