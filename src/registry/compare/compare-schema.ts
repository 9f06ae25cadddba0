import { entriesIn, isObject } from '../../site/json-object.ts';
import { compareChoices, compareValues, addChange, matchByKey, type Comparison } from './change.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Keywords that describe values but never reject any. */
const descriptiveKeywords = new Set(['title', 'description', 'examples', 'default', '$comment']);

/** Keywords that only restrict values, so that a schema without them accepts more. */
const limitKeywords = new Set([
  ...['type', 'const', 'format', 'pattern', 'multipleOf', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
]);

/** Whether a changed limit still accepts every value that it accepted before. */
function acceptsMore(key: string, before: unknown, after: unknown): boolean {
  if (after === undefined) return true;
  if (typeof before !== 'number' || typeof after !== 'number') return false;
  return /min/i.test(key) ? after <= before : /max/i.test(key) && after >= before;
}

const propertiesOf = ({ properties }: Schema): Schema => (isObject(properties) ? properties : {});
const namesIn = (schema: Schema, name: string): string[] => entriesIn(schema[name]).map(String);

/** Reports changes to a JSON Schema, member by member. */
export function compareSchema(
  comparison: Comparison,
  name: string,
  before: Schema,
  after: Schema,
): void {
  const [oldProperties, newProperties] = [propertiesOf(before), propertiesOf(after)];
  const required = new Set(namesIn(after, 'required'));
  const wasRequired = new Set(namesIn(before, 'required'));
  const { removed, added, pairs } = matchByKey(
    Object.keys(oldProperties),
    Object.keys(newProperties),
    (member) => member,
  );
  for (const member of removed) addChange(comparison, `${name}.${member} was removed`, true);
  for (const member of added) {
    const isRequired = required.has(member);
    addChange(
      comparison,
      `${name}.${member} was added as ${isRequired ? 'required' : 'optional'}`,
      isRequired,
    );
  }
  for (const [member] of pairs) {
    const place = `${name}.${member}`;
    if (required.has(member) && !wasRequired.has(member))
      addChange(comparison, `${place} became required`, true);
    if (!required.has(member) && wasRequired.has(member))
      addChange(comparison, `${place} became optional`);
    const [one, other] = [oldProperties[member], newProperties[member]];
    if (isObject(one) && isObject(other)) compareSchema(comparison, place, one, other);
    else compareValues(comparison, place, one, other, true);
  }
  const [oldChoices, newChoices] = [before, after].map((schema) =>
    schema['enum'] === undefined ? undefined : namesIn(schema, 'enum'),
  );
  compareChoices(comparison, name, oldChoices, newChoices);
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (['properties', 'required', 'enum'].includes(key)) continue;
    const [one, other] = [before[key], after[key]];
    if (key === 'items' && isObject(one) && isObject(other))
      compareSchema(comparison, `${name}[]`, one, other);
    else {
      const isLoosened = limitKeywords.has(key) && acceptsMore(key, one, other);
      const isBreaking = !isLoosened && !descriptiveKeywords.has(key);
      compareValues(comparison, `${name}: ${key}`, one, other, isBreaking);
    }
  }
}
