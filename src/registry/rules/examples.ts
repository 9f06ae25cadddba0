import { type Field, kindOf } from '../../fields/fields.ts';
import { eachAction, inputsOf } from './places.ts';
import type { Rule } from './rule.ts';
import { DAY_MS } from '../../site/calendar/durations.ts';

/** Examples must be valid because agents copy them. */
export const exampleRules: Rule[] = [
  {
    name: 'valid-example',
    description:
      'Each required field has an example, and each example and known value is valid for its field.',
    *check(records, unreadable) {
      const names = records.subsites.map(({ name }) => name);
      const findProblem = (field: Field, value: string | undefined) =>
        value === undefined ? undefined : kindOf(field).findExampleFault(field, value, names);
      for (const { action, fault } of eachAction(records))
        for (const { path, fields } of inputsOf(action))
          for (const [name, field] of Object.entries(fields)) {
            const { known, example, content, required } = field;
            const knownProblem = findProblem(field, known);
            if (knownProblem) yield fault(knownProblem, [...path, name, 'known']);
            // A capability’s field may reuse the example of the action’s field.
            const hasExample = (example ?? action.fields[name]?.example) !== undefined;
            if (required && !hasExample)
              yield fault('is missing from a required field. Add a sample value.', [
                ...path,
                name,
                'example',
              ]);
            const problem = findProblem(field, example);
            const isPossiblyUnreadable =
              content?.kind === 'subsite' && unreadable.hasRecord(`subsites/${example}`);
            if (problem && !isPossiblyUnreadable) yield fault(problem, [...path, name, 'example']);
          }
    },
  },
  {
    name: 'example-days',
    description:
      'The example days of an action are in order, and span no more days than a hold may last.',
    *check(records) {
      for (const { action, fault } of eachAction(records)) {
        const { fields, effect } = action;
        const dayOf = (field: string | undefined) =>
          field === undefined ? NaN : Date.parse(fields[field]?.example ?? '');
        const orderFault = (field: string, earlier: string) =>
          fault(`is before the example for ${earlier}. Use the same day or a later day.`, [
            'fields',
            field,
            'example',
          ]);
        for (const [name, { notBefore }] of Object.entries(fields))
          if (notBefore !== undefined && dayOf(name) < dayOf(notBefore))
            yield orderFault(name, notBefore);
        if (effect?.kind !== 'hold') continue;
        const { fromField, toField, longestDays } = effect;
        const days = (dayOf(toField) - dayOf(fromField)) / DAY_MS + 1;
        if (days < 1) yield orderFault(toField, fromField);
        if (days > longestDays)
          yield fault(
            `makes a hold of ${days} days, but the effect's longestDays is ${longestDays}. Use an earlier day.`,
            ['fields', toField, 'example'],
          );
      }
    },
  },
];
