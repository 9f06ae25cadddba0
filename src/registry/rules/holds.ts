import { eachAction, inputsOf } from './places.ts';
import type { Rule } from './rule.ts';

export const holdRules: Rule[] = [
  {
    name: 'held-items',
    description:
      'A subsite has at most one action with a hold. It uses the subsite’s own catalog, and the values of its item field are exactly the IDs in that catalog.',
    *check(records, unreadable) {
      const subsitesWithHold = new Set();
      for (const { subsite, action, fault } of eachAction(records)) {
        const { effect, fields } = action;
        if (effect?.kind !== 'hold') continue;
        if (subsitesWithHold.has(subsite))
          yield fault('is a second hold. Move the action to a separate subsite.', ['effect']);
        subsitesWithHold.add(subsite);
        if (effect.catalog !== subsite.name)
          yield fault(`is the catalog of another subsite. Use ${subsite.name}.`, [
            'effect',
            'catalog',
          ]);
        if (unreadable.hasRecord(`catalog/${effect.catalog}`)) continue;
        const catalog = records.catalogs[effect.catalog];
        if (!catalog) {
          yield fault(`has no catalog. Add catalog/${effect.catalog}.yaml.`, ['effect', 'catalog']);
          continue;
        }
        const ids = [...new Set(catalog.items.map((item) => item.id))];
        // A repeated ID is a separate fault; until it is renamed, the list to copy would be wrong.
        if (ids.length < catalog.items.length) continue;
        const values = fields[effect.itemField]?.enum ?? [];
        if ([...ids].sort().join() !== [...values].sort().join())
          yield fault(
            `and the item IDs in catalog/${effect.catalog} differ. Make both ${ids.join(', ')}.`,
            ['fields', effect.itemField, 'enum'],
          );
      }
    },
  },
  {
    name: 'held-fields',
    description: 'The fields for the item and the first day of a hold are required.',
    *check(records) {
      for (const { action, fault } of eachAction(records)) {
        const { effect } = action;
        if (effect?.kind !== 'hold') continue;
        for (const { path, fields } of inputsOf(action))
          for (const name of [effect.itemField, effect.fromField]) {
            const field = fields[name];
            if (field && !field.required && field.default === undefined)
              yield fault('is false, but nothing is held without this field. Use true.', [
                ...path,
                name,
                'required',
              ]);
          }
      }
    },
  },
];
