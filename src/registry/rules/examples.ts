import { EMAIL_PATTERN, type Field, PHONE_PATTERN, ZIP_PATTERN } from '../fields.ts';
import { calendarDate } from '../text.ts';
import type { Rule } from './rule.ts';

function exampleProblem(field: Field, example: string): string | undefined {
  const fits = (pattern: string) => new RegExp(pattern, 'u').test(example);
  switch (field.type) {
    case 'string':
      return undefined;
    case 'enum':
      return field.enum!.includes(example) ? undefined : `is none of ${field.enum!.join(', ')}. Choose one of them.`;
    case 'number':
      return Number.isFinite(Number(example)) && example.trim() ? undefined : 'is not a number. Write digits as text, for example "3".';
    case 'date':
      return calendarDate.safeParse(example).success ? undefined : 'is not a calendar date. Write YYYY-MM-DD.';
    case 'zip':
      return fits(ZIP_PATTERN) ? undefined : 'is not a ZIP code. Write five digits, or ZIP+4, in quotes.';
    case 'phone':
      return fits(PHONE_PATTERN) ? undefined : 'is not a telephone number. Write for example (727) 555-0142.';
    case 'email':
      return fits(EMAIL_PATTERN) ? undefined : 'is not a mail address. Write for example dana@example.com.';
    default:
      return field.type satisfies never;
  }
}

/** Examples teach agents; a wrong one teaches a refused request. */
export const exampleRules: Rule[] = [
  {
    name: 'valid-example',
    description: 'Each required field has an example, and each example is a valid value of its field.',
    *check({ subsites }) {
      for (const { name, actions } of subsites)
        for (const [index, { fields }] of actions.entries())
          for (const [fieldName, field] of Object.entries(fields)) {
            const at = { record: `subsites/${name}`, path: ['actions', index, 'fields', fieldName, 'example'] };
            if (field.example === undefined) {
              if (field.required) yield { ...at, problem: 'is missing on a required field. Add a sample value.' };
              continue;
            }
            const problem = exampleProblem(field, field.example);
            if (problem) yield { ...at, problem };
          }
    },
  },
];
