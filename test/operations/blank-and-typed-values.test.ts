import { expect, it } from 'vitest';
import { kindOf } from '../../src/fields/fields.ts';
import { toSubsiteRecord } from '../../src/artifacts/subsite-record.ts';
import { findMessageFaults } from '../../src/leads/conversation/customer-message.ts';
import { createFieldsSchema } from '../../src/leads/submit/validate-fields.ts';
import { createSubsiteDetails } from '../../src/mcp/subsite-views.ts';
import { validateAgainstSchema } from '../../src/operation/json-schema-check.ts';
import { validateValue } from '../../src/operation/validate.ts';
import { sites } from './setup/fixture.ts';
import { listSiteActions } from '../../src/leads/submit/submit-action.ts';

const { registry } = sites[0]!.site;

const fieldsOf = listSiteActions(registry).flatMap(({ subsite, action }) =>
  Object.entries(action.fields).map(([name, field]) => ({ subsite, action, name, field })),
);

const messageFor = ({ subsite, action, name }: (typeof fieldsOf)[number], value: unknown) =>
  validateValue(createFieldsSchema(action.fields, registry, subsite.name), {
    [name]: value,
  }).errors.find(({ pointer }) => pointer === `/${name}`)?.message;

it('reports every rejected blank value as blank', () => {
  for (const place of fieldsOf)
    for (const blankValue of ['', ' \n']) {
      const message = messageFor(place, blankValue);
      if (place.field.required || place.field.type !== 'string')
        expect(message, place.name).toMatch(/^It is blank\. \S/);
      if (message && !place.field.required)
        expect(message, place.name).toMatch(/ Leave it out if there is no value\.$/);
    }
});

it('does not advise leaving out the text of a message that has nothing else', () => {
  const adviceFor = (body: object) =>
    findMessageFaults(body).map(({ pointer, message }) => [pointer, /leave it out/i.test(message)]);
  for (const text of ['', ' ', null]) {
    expect(adviceFor({ text })).toEqual([['/text', false]]);
    expect(adviceFor({ withdraw: true, text })).toEqual([['/text', true]]);
  }
});

it('asks for a JSON number when a number is sent as text', () => {
  const numbers = fieldsOf.filter(({ field }) => kindOf(field).read);
  expect(numbers.length).toBeGreaterThan(0);
  for (const place of numbers)
    expect(messageFor(place, '3')).toMatch(
      /^It is not a number\. Send a JSON number, without quotes/,
    );
});

it('has separate sentences for a wrong type, a number out of range, and a fraction', () => {
  const sentences = { string: 'It is not text. ', number: 'It is not a number. ' };
  for (const place of fieldsOf) {
    const { field } = place;
    const { type, minimum, maximum, integer } = field;
    if (type !== 'number') {
      if (!field.content) expect(messageFor(place, 7), place.name).toMatch(sentences.string);
      continue;
    }
    expect(messageFor(place, true), place.name).toMatch(sentences.number);
    const limits = [
      ...(minimum === undefined ? [] : [minimum]),
      ...(maximum === undefined ? [] : [maximum]),
    ];
    for (const limit of limits) {
      const outOfRangeValue = limit === minimum ? limit - 1 : limit + 1;
      expect(messageFor(place, outOfRangeValue), place.name).toMatch(
        /^It is out of range\. Send a/,
      );
      expect(messageFor(place, outOfRangeValue), place.name).toContain(String(limit));
    }
    if (integer)
      expect(messageFor(place, (minimum ?? 0) + 0.5)).toMatch(/^It is not a whole number\. Send a/);
  }
});

it('describes a number as a JSON number wherever its example is text', () => {
  for (const { subsite, action, name, field } of fieldsOf) {
    if (!kindOf(field).read || field.example === undefined) continue;
    const { actions } = toSubsiteRecord(subsite, {
      registry,
      base: 'https://example.com',
      dynamic: true,
    });
    const { description } = actions.find(({ verb }) => verb === action.verb)!.fields[name]!;
    expect(description).toMatch(/Send a JSON number, without quotes/);
    expect(description).toContain(`The example is given as text; send it as ${field.example}.`);
    const details = createSubsiteDetails(subsite, { registry, base: 'https://example.com' });
    const shownAction = details.actions.find((other) => other.verb === action.verb);
    if (shownAction && 'fields' in shownAction)
      expect(shownAction.fields[name]?.example).toBe(Number(field.example));
  }
});

it('advises on blank and null members of capability inputs', () => {
  const schema = {
    type: 'object',
    properties: {
      question: { type: 'string', minLength: 1, pattern: '\\S' },
      sources: { type: 'array', items: { type: 'string', format: 'uri' } },
      features: { type: 'object', properties: { aspect: { type: 'string', enum: ['16:9'] } } },
      count: { type: 'integer' },
    },
    required: ['question', 'count'],
  };
  const value = {
    question: ' ',
    sources: [null, ''],
    features: { aspect: null },
    count: null,
  };
  const messages = Object.fromEntries(
    validateAgainstSchema(schema, value, '').map(({ pointer, message }) => [pointer, message]),
  );
  expect(messages).toEqual({
    '/question': 'It is blank. Enter at least one character that is not white space.',
    '/sources/0': 'Enter text.',
    '/sources/1': 'It is blank. Enter an absolute URL, for example https://example.com/page.',
    '/features/aspect': expect.stringMatching(
      / null is not accepted: leave it out if there is no value\.$/,
    ),
    '/count': 'Send a JSON number without quotes: a whole number.',
  });
  expect(
    validateAgainstSchema(schema, { question: '', count: '1' }, '').map((error) => error.message),
  ).toEqual([
    'It is blank. Enter at least 1 character.',
    'Send a JSON number without quotes: a whole number.',
  ]);
});
