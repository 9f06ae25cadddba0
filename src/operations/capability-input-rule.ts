import type { Rule } from '../registry/index.ts';
import { faultsBySchema, faultsOfSchema } from './json-schema-check.ts';

/** The steps of a JSON Pointer, RFC 6901; array indexes as numbers. */
const stepsOf = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));

/** Inputs of capabilities are checked before anyone sends one, by what checks them then. */
export const capabilityInputRule: Rule = {
  name: 'capability-input',
  description: 'The inputSchema of a capability is JSON Schema (2020-12), and its example is a valid input.',
  *check({ capabilities }) {
    for (const [index, { inputSchema, example }] of capabilities.entries()) {
      const at = (part: string, pointer: string) => ({ record: 'capabilities/capabilities', path: [index, part, ...stepsOf(pointer)] });
      const faults = faultsOfSchema(inputSchema);
      for (const { pointer, message } of faults) yield { ...at('inputSchema', pointer), problem: `is not valid JSON Schema (2020-12): ${message}. Correct it.` };
      if (!faults.length) for (const { pointer, message } of faultsBySchema(inputSchema, example, '')) yield { ...at('example', pointer), problem: `is not what inputSchema accepts. ${message}` };
    }
  },
};
