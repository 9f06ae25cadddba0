import type { Control } from '../../fields/control.ts';
import { type Field, kindOf } from '../../fields/fields.ts';
import type { Item } from '../../registry/schemas/catalog.ts';
import { isSoldOrPast, type Registry } from '../../site/registry.ts';

/**
 * The control for a field of an action; `items` are the subsite's items, for a field that selects
 * an item.
 */
export const createControl = (
  name: string,
  field: Field,
  registry: Registry,
  items: readonly Item[] = [],
): Control =>
  kindOf(field).control(field, {
    name,
    items: () =>
      items
        .filter((item) => !isSoldOrPast(item))
        .map(({ id, title }) => ({ value: id, label: title })),
    subsites: () => registry.subsites.map(({ name: value, title }) => ({ value, label: title })),
  });
