import { memberOf } from '../../site/json-object.ts';
import { capabilityAdapters, capabilityModes } from '../../site/capability-kinds.ts';
import { z } from 'zod';
import { CURRENCY } from '../../site/prices/currency.ts';
import { addFault, line, path } from './text.ts';

/** Finds the objects in a JSON Schema that accept additional properties; returns their paths. */
function findOpenObjects(schema: unknown, path: string[] = []): string[][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isOpen =
    memberOf(schema, 'type') === 'object' && memberOf(schema, 'additionalProperties') !== false;
  return [
    ...(isOpen ? [path] : []),
    ...Object.entries(schema).flatMap(([name, value]) => findOpenObjects(value, [...path, name])),
  ];
}

const inputSchema = z.record(z.string(), z.json()).superRefine((schema, context) => {
  if (schema.type !== 'object')
    addFault(context, ['type'], 'must be “object”. An input is always an object');
  for (const path of findOpenObjects(schema))
    addFault(context, path, 'accepts unknown properties. Add additionalProperties: false');
});

/** A capability of the network itself, as opposed to a subsite’s help, guide or action. */
export const capability = z
  .strictObject({
    id: z
      .string()
      .regex(
        /^[a-z0-9-]+\.[a-z0-9_-]+$/,
        'is not a capability ID. Use <subsite>.<name> or company.<name>',
      )
      .describe('Capability id.'),
    title: line(80).describe('Title.'),
    description: line(400).describe('What the capability does.'),
    route: path.describe('The capability’s page.'),
    mode: z.enum(capabilityModes).describe('Kind of capability.'),
    adapter: z.enum(capabilityAdapters).describe('Adapter that runs the capability.'),
    inputSchema: inputSchema.describe('JSON Schema for the input.'),
    example: z.record(z.string(), z.json()).describe('A valid input.'),
    pricing: z
      .strictObject({
        kind: z
          .enum(['free', 'quote'])
          .describe('free, or quote if the price depends on the input.'),
        description: line(300).describe('How the price is calculated.'),
      })
      .describe('Price.'),
    costs: z
      .strictObject({
        currency: z.enum([CURRENCY]).describe('ISO 4217 code.'),
        baseMinor: z.int().min(0).describe('Compute cost of each run, in minor units (cents).'),
        perUnitMinor: z
          .int()
          .min(0)
          .describe('Compute cost of each unit or part of a unit, in minor units.'),
        unitCharacters: z.int().min(1).describe('Number of input characters per unit.'),
        operationsFeeMinor: z.int().min(0).describe('Published operations fee, in minor units.'),
      })
      .optional()
      .describe('How a quote is calculated; only if pricing.kind is quote.'),
    evidence: z.array(path).describe('Pages that support the description.'),
    limitations: z.array(line(300)).describe('Limitations of the capability, one sentence each.'),
  })
  .superRefine((value, context) => {
    if ((value.pricing.kind === 'quote') !== (value.costs !== undefined))
      addFault(
        context,
        ['costs'],
        'do not match pricing.kind. Set costs if and only if the kind is quote',
      );
    if (value.adapter === 'inquiry')
      addFault(
        context,
        ['adapter'],
        'runs only actions. Add capability: {} to the action and remove this record',
      );
  })
  .describe('A capability of the network itself.');

/** capabilities.yaml. */
export const capabilities = z
  .array(capability)
  .describe('Capabilities that are not a subsite’s help, guide or action.');

export type NetworkCapability = z.infer<typeof capability>;
