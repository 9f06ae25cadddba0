import type { Field } from '../../fields/fields.ts';

/** What a value must be, for the message beside the input; one sentence. */
export function expectationOf(field: Field): string {
  switch (field.type) {
    case 'string':
      return field.content?.kind === 'subsite' ? 'Choose a service.' : 'Tell us in a few words.';
    case 'enum':
      return 'Choose one of these.';
    case 'number': {
      const { minimum, maximum } = field;
      const kind = field.integer ? 'a whole number' : 'a number';
      if (minimum !== undefined && maximum !== undefined)
        return `Enter ${kind} from ${minimum} to ${maximum}.`;
      if (minimum !== undefined) return `Enter ${kind} of at least ${minimum}.`;
      return maximum === undefined ? `Enter ${kind}.` : `Enter ${kind} of at most ${maximum}.`;
    }
    case 'date':
      return 'Choose a date.';
    case 'zip':
      return 'Enter a 5-digit ZIP code.';
    case 'phone':
      return 'Enter a phone number with its area code, for example (727) 555-0142.';
    case 'email':
      return 'Enter an email address, for example dana@example.com.';
    default:
      return field.type satisfies never;
  }
}
