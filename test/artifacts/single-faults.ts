type Schema = Record<string, any>;

/** An input with exactly one fault, and a description of the fault. */
export interface Faulty {
  fault: string;
  value: unknown;
}

/** Values that the schema of a property rejects, with the reason. */
function wrongValues(schema: Schema): [string, unknown][] {
  const types = [schema.type].flat();
  const wrongValuesOfField: [string, unknown][] = [
    ['another type', types.includes('string') ? 5 : 'five'],
    ['null', null],
  ];
  if (schema.enum) wrongValuesOfField.push(['a value outside the enum', 'none of them']);
  if (schema.pattern || schema.format)
    wrongValuesOfField.push(['text in another format', '\u2028']);
  if (schema.maxLength)
    wrongValuesOfField.push(['text that is too long', 'x'.repeat(schema.maxLength + 1)]);
  if (schema.minLength)
    wrongValuesOfField.push(['text that is too short', 'x'.repeat(schema.minLength - 1)]);
  if (schema.maximum !== undefined)
    wrongValuesOfField.push(['a number that is too large', schema.maximum + 1]);
  if (schema.minimum !== undefined)
    wrongValuesOfField.push(['a number that is too small', schema.minimum - 1]);
  if (schema.type === 'integer') wrongValuesOfField.push(['a fraction', 1.5]);
  if (types.includes('array')) {
    wrongValuesOfField.push(['an item of another type', [5]]);
    if (schema.maxItems)
      wrongValuesOfField.push([
        'too many items',
        Array.from({ length: schema.maxItems + 1 }, (_, index) => `https://example.org/${index}`),
      ]);
  }
  return wrongValuesOfField;
}

/**
 * All variants of a valid input with exactly one fault, at every level of a closed object schema.
 */
export function singleFaults(
  schema: Schema,
  valid: Record<string, unknown>,
  pointer = '',
): Faulty[] {
  const faults: Faulty[] = [
    { fault: `${pointer}/unknown: an unknown property`, value: { ...valid, unknown: 'x' } },
  ];
  for (const name of schema.required ?? []) {
    const { [name]: _, ...rest } = valid;
    faults.push({ fault: `${pointer}/${name}: missing`, value: rest });
  }
  for (const [name, property] of Object.entries<Schema>(schema.properties)) {
    for (const [what, value] of wrongValues(property))
      faults.push({ fault: `${pointer}/${name}: ${what}`, value: { ...valid, [name]: value } });
    if (property.type === 'object')
      for (const { fault, value } of singleFaults(
        property,
        (valid[name] as Record<string, unknown>) ?? {},
        `${pointer}/${name}`,
      ))
        faults.push({ fault, value: { ...valid, [name]: value } });
  }
  return faults;
}
