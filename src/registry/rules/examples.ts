import { type Field, kindOf } from '../../fields/fields.ts';
import type { Rule } from './rule.ts';
import { DAY_MS } from '../../site/calendar/durations.ts';

/** Examples must be valid because agents copy them. */
export const exampleRules: Rule[] = [
  {
    name: 'valid-example',
    description:
      'Each required field has an example, and each example and known value is valid for its field.',
    *check({ subsites }, unreadable) {
      const names = subsites.map(({ name }) => name);
      const faultOf = (field: Field, example: string) =>
        kindOf(field).findExampleFault(field, example, names);
      for (const { name, actions } of subsites)
        for (const [index, action] of actions.entries()) {
          const fieldSets = [
            { prefix: ['fields'], fields: action.fields },
            { prefix: ['capability', 'fields'], fields: action.capability?.fields ?? {} },
          ];
          for (const { prefix, fields } of fieldSets)
            for (const [fieldName, field] of Object.entries(fields)) {
              const { known, example, content, required } = field;
              const locationOf = (key: string) => ({
                record: `subsites/${name}`,
                path: ['actions', index, ...prefix, fieldName, key],
              });
              const knownProblem = known === undefined ? undefined : faultOf(field, known);
              if (knownProblem) yield { ...locationOf('known'), problem: knownProblem };
              // A capability’s field may take the example of the action’s field.
              const hasExample = (example ?? action.fields[fieldName]?.example) !== undefined;
              if (required && !hasExample)
                yield {
                  ...locationOf('example'),
                  problem: 'is missing from a required field. Add a sample value.',
                };
              const problem = example === undefined ? undefined : faultOf(field, example);
              const isPossiblyUnreadable =
                content?.kind === 'subsite' && unreadable.hasRecord(`subsites/${example}`);
              if (problem && !isPossiblyUnreadable) yield { ...locationOf('example'), problem };
            }
        }
    },
  },
  {
    name: 'example-days',
    description:
      'The example days of an action are in order, and span no more days than a hold may last.',
    *check({ subsites }) {
      for (const { name, actions } of subsites)
        for (const [index, { fields, effect }] of actions.entries()) {
          const locationOf = (field: string) => ({
            record: `subsites/${name}`,
            path: ['actions', index, 'fields', field, 'example'],
          });
          const dayOf = (field: string | undefined) =>
            field === undefined ? NaN : Date.parse(fields[field]?.example ?? '');
          for (const [fieldName, { notBefore }] of Object.entries(fields))
            if (dayOf(fieldName) < dayOf(notBefore))
              yield {
                ...locationOf(fieldName),
                problem: `is before the example for ${notBefore}. Use the same day or a later day.`,
              };
          if (effect?.kind !== 'hold') continue;
          const { fromField, toField, longestDays } = effect;
          const days = (dayOf(toField) - dayOf(fromField)) / DAY_MS + 1;
          if (days < 1)
            yield {
              ...locationOf(toField),
              problem: `is before the example for ${fromField}. Use the same day or a later day.`,
            };
          if (days > longestDays)
            yield {
              ...locationOf(toField),
              problem: `makes a hold of ${days} days, but the effect's longestDays is ${longestDays}. Use an earlier day.`,
            };
        }
    },
  },
];
