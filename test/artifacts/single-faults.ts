type Schema = Record<string, any>;

/** An input with exactly one fault, and a description of the fault. */
export interface FaultyInput {
  fault: string;
  value: unknown;
}

/** Values that the schema of a property rejects, with the reason. */
function listInvalidValues(schema: Schema): [string, unknown][] {
  const types = [schema.type].flat();
  const invalidValues: [string, unknown][] = [
    ['another type', types.includes('string') ? 5 : 'five'],
    ['null', null],
  ];
  if (schema.enum) invalidValues.push(['a value outside the enum', 'none of them']);
  if (schema.pattern || schema.format) invalidValues.push(['text in another format', '\u2028']);
  if (schema.maxLength)
    invalidValues.push(['text that is too long', 'x'.repeat(schema.maxLength + 1)]);
  if (schema.minLength)
    invalidValues.push(['text that is too short', 'x'.repeat(schema.minLength - 1)]);
  if (schema.maximum !== undefined)
    invalidValues.push(['a number that is too large', schema.maximum + 1]);
  if (schema.minimum !== undefined)
    invalidValues.push(['a number that is too small', schema.minimum - 1]);
  if (schema.type === 'integer') invalidValues.push(['a fraction', 1.5]);
  if (types.includes('array')) {
    invalidValues.push(['an item of another type', [5]]);
    if (schema.maxItems)
      invalidValues.push([
        'too many items',
        Array.from({ length: schema.maxItems + 1 }, (_, index) => `https://example.org/${index}`),
      ]);
  }
  return invalidValues;
}

/**
 * All variants of a valid input with exactly one fault, at every level of a closed object schema.
 */
export function listSingleFaults(
  schema: Schema,
  valid: Record<string, unknown>,
  pointer = '',
): FaultyInput[] {
  const faults: FaultyInput[] = [
    { fault: `${pointer}/unknown: an unknown property`, value: { ...valid, unknown: 'x' } },
  ];
  for (const name of schema.required ?? []) {
    const { [name]: _, ...rest } = valid;
    faults.push({ fault: `${pointer}/${name}: missing`, value: rest });
  }
  for (const [name, property] of Object.entries<Schema>(schema.properties)) {
    for (const [what, value] of listInvalidValues(property))
      faults.push({ fault: `${pointer}/${name}: ${what}`, value: { ...valid, [name]: value } });
    if (property.type === 'object')
      for (const { fault, value } of listSingleFaults(
        property,
        (valid[name] as Record<string, unknown>) ?? {},
        `${pointer}/${name}`,
      ))
        faults.push({ fault, value: { ...valid, [name]: value } });
  }
  return faults;
}
