import type { Rule } from '../registry/rules/rule.ts';
import { validateAgainstSchema, findSchemaFaults } from '../operation/json-schema-check.ts';
import { parsePointer } from '../operation/json-pointer.ts';

/** Example inputs for capabilities must pass the same check as requests. */
export const capabilityInputRule: Rule = {
  name: 'capability-input',
  description:
    'The inputSchema of a capability is JSON Schema (2020-12), and its example is a valid input.',
  *check({ capabilities }) {
    for (const [index, { inputSchema, example }] of capabilities.entries()) {
      const createLocation = (part: string, pointer: string) => ({
        record: 'capabilities/capabilities',
        path: [
          index,
          part,
          ...parsePointer(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
        ],
      });
      const faults = findSchemaFaults(inputSchema);
      for (const { pointer, message } of faults)
        yield {
          ...createLocation('inputSchema', pointer),
          problem: `is not valid JSON Schema (2020-12): ${message}. Correct it.`,
        };
      if (!faults.length)
        for (const { pointer, message } of validateAgainstSchema(inputSchema, example, ''))
          yield {
            ...createLocation('example', pointer),
            problem: `is not accepted by inputSchema. ${message}`,
          };
    }
  },
};
