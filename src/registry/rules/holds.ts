import type { Rule } from './rule.ts';

export const holdRules: Rule[] = [
  {
    name: 'held-items',
    description:
      'A subsite has at most one hold, of its own catalog, whose items match the values of the item field exactly.',
    *check(records, unreadable) {
      for (const subsite of records.subsites) {
        const record = `subsites/${subsite.name}`;
        const holds = subsite.actions.flatMap(({ effect }, index) =>
          effect?.kind === 'hold' ? index : [],
        );
        for (const index of holds.slice(1))
          yield {
            record,
            path: ['actions', index, 'effect'],
            problem: 'is a second hold. Move the action to a subsite of its own.',
          };
        for (const [index, { effect, fields }] of subsite.actions.entries()) {
          if (effect?.kind !== 'hold') continue;
          const location = { record, path: ['actions', index, 'effect', 'catalog'] };
          if (effect.catalog !== subsite.name)
            yield {
              ...location,
              problem: `is the catalog of another subsite. Use ${subsite.name}.`,
            };
          if (unreadable.hasRecord(`catalog/${effect.catalog}`)) continue;
          const catalog = records.catalogs[effect.catalog];
          if (!catalog)
            yield {
              ...location,
              problem: `has no catalog. Add catalog/${effect.catalog}.yaml.`,
            };
          else {
            const ids = [...new Set(catalog.items.map((item) => item.id))];
            const values = fields[effect.itemField]?.enum ?? [];
            if ([...ids].sort().join() !== [...values].sort().join())
              yield {
                record,
                path: ['actions', index, 'fields', effect.itemField, 'enum'],
                problem: `and the item IDs in catalog/${effect.catalog} differ. Make both ${ids.join(', ')}.`,
              };
          }
        }
      }
    },
  },
  {
    name: 'held-fields',
    description: 'The fields with the item and the first day of a hold are required.',
    *check({ subsites }) {
      for (const { name, actions } of subsites)
        for (const [index, { effect, fields, capability }] of actions.entries()) {
          if (effect?.kind !== 'hold') continue;
          const inputs = [
            { path: ['fields'], specs: fields },
            { path: ['capability', 'fields'], specs: capability?.fields },
          ];
          for (const { path, specs } of inputs)
            for (const field of [effect.itemField, effect.fromField]) {
              const spec = specs?.[field];
              if (spec && !spec.required && spec.default === undefined)
                yield {
                  record: `subsites/${name}`,
                  path: ['actions', index, ...path, field, 'required'],
                  problem: 'is false, but nothing is held without this field. Use true.',
                };
            }
        }
    },
  },
];
