import type { Field } from '../../registry/index.ts';

/** What a value must be, for the message beside the input; one sentence. */
export function expectationOf(field: Field): string {
  switch (field.type) {
    case 'string':
      return field.content?.kind === 'subsite' ? 'Choose one of the services.' : 'Write a few words.';
    case 'enum':
      return 'Choose one of these.';
    case 'number': {
      const { minimum, maximum } = field;
      const kind = field.integer ? 'a whole number' : 'a number';
      if (minimum !== undefined && maximum !== undefined) return `Write ${kind} from ${minimum} to ${maximum}.`;
      if (minimum !== undefined) return `Write ${kind} of at least ${minimum}.`;
      return maximum === undefined ? `Write ${kind}.` : `Write ${kind} of at most ${maximum}.`;
    }
    case 'date':
      return 'Choose a day of the calendar.';
    case 'zip':
      return 'Write a US ZIP code: five digits, or nine as 33701-1234.';
    case 'phone':
      return 'Write a telephone number with its area code, for example (727) 555-0142.';
    case 'email':
      return 'Write one mail address, for example dana@example.com.';
    default:
      return field.type satisfies never;
  }
}
