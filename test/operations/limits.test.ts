import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { createShareLink } from '../../src/links/create-share-link.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { captureLead } from '../../src/leads/submit/capture-lead.ts';
import {
  createActionEnvelope,
  createCompactBodySchema,
  createCompactCaptureSchema,
} from '../../src/leads/submit/lead-channels.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import type { Context } from '../../src/operation/context.ts';
import type { Operation } from '../../src/operation/operation.ts';
import { Problem } from '../../src/operation/problem.ts';
import { listActions } from './setup/actions.ts';
import { sites } from './setup/fixture.ts';

type Schema = Record<string, any>;

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

const [{ site }] = sites as [(typeof sites)[number]];
const context = { site, now: () => new Date() } as Context;

interface PublishedBody {
  name: string;
  operation: Operation<any, any>;
  schema: Schema;
  /** A body that the schema and the server accept. */
  valid: Record<string, unknown>;
}

const person = { name: 'Dana Reyes', email: 'dana@example.com', phone: '(727) 555-0142' };

/** A schema with the components of its operation, which the schema refers to. */
const withComponents = (schema: Schema, components: Schema = {}): Schema => ({
  ...schema,
  components: { schemas: components },
});

const bodies: PublishedBody[] = [
  ...listActions(site).flatMap(({ subsite, action, label }) => {
    const { components } = submitAction.describe(site) as Schema;
    const valid = {
      subsite: subsite.name,
      action: action.verb,
      fields: exampleValuesOf(action.fields),
      contact: person,
    };
    const envelope = createActionEnvelope(subsite, action, false);
    const compact = createCompactBodySchema(subsite, action);
    return [
      {
        name: `${label} in OpenAPI`,
        operation: submitAction,
        schema: withComponents(envelope, components),
        valid,
      },
      { name: `${label} in search results`, operation: submitAction, schema: compact, valid },
    ];
  }),
  ...site.registry.subsites.slice(0, 3).map((subsite) => ({
    name: `a contact request to ${subsite.title} in search results`,
    operation: captureLead,
    schema: createCompactCaptureSchema(subsite),
    valid: { email: person.email, name: person.name, source: subsite.leadSource },
  })),
  ...(
    [
      ['a share link', createShareLink, { subsite: 'trailer', path: 'terms', title: 'Terms' }],
      ['a contact request', captureLead, { ...person, phone: undefined, source: 'trailer' }],
      ['a message', sendMessage, { text: 'Hello' }],
    ] as const
  ).map(([name, operation, valid]) => {
    const { request, components } = operation.describe(site) as Schema;
    return {
      name: `${name} in OpenAPI`,
      operation,
      schema: withComponents(request, components),
      valid: JSON.parse(JSON.stringify(valid)) as Record<string, unknown>,
    };
  }),
];

/** Every scalar or array in a schema, with its path. */
function listPlaces(
  root: Schema,
  schema: Schema = root,
  path: string[] = [],
): [string[], Schema][] {
  if (schema.$ref) {
    const name = String(schema.$ref).split('/').at(-1)!;
    return listPlaces(root, root.components.schemas[name] as Schema, path);
  }
  const parts = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])] as Schema[];
  if (parts.length) return parts.flatMap((part) => listPlaces(root, part, path));
  return schema.properties
    ? Object.entries<Schema>(schema.properties).flatMap(([name, inner]) =>
        listPlaces(root, inner, [...path, name]),
      )
    : [[path, schema]];
}

const repeatCharacter = (length: number, character = 'x') => character.repeat(Math.max(length, 0));
const emailOf = (length: number) =>
  `dana@${'a.'.repeat(Math.max(0, Math.floor((length - 8) / 2)))}${length % 2 ? 'coom' : 'com'}`;

/** Values at, below and above the limits that a schema states, and far beyond any limit. */
function listProbes({ type, format, ...limits }: Schema): unknown[] {
  const types = [type].flat();
  const valuesAround = (limit: unknown) =>
    typeof limit === 'number' ? [limit - 1, limit, limit + 1] : [];
  if (types.includes('number') || types.includes('integer'))
    return [
      -1e12,
      -1,
      0,
      0.5,
      1e12,
      ...valuesAround(limits.minimum),
      ...valuesAround(limits.maximum),
    ];
  if (!types.includes('string')) return [];
  const lengths = [
    0,
    1,
    100_000,
    ...valuesAround(limits.minLength),
    ...valuesAround(limits.maxLength),
  ];
  const textOf: (length: number) => string =
    format === 'email'
      ? emailOf
      : format === 'uri'
        ? (length) => `https://example.org/${repeatCharacter(length - 20)}`
        : repeatCharacter;
  return [
    ' ',
    ...lengths.map((length) => textOf(length)),
    ...valuesAround(limits.maxLength).map((n) => repeatCharacter(n, '\u{1f6bf}')),
  ];
}

const replaceValue = (
  body: Record<string, unknown>,
  [name, ...rest]: string[],
  value: unknown,
): Record<string, unknown> => ({
  ...body,
  [name!]: rest.length
    ? replaceValue((body[name!] ?? {}) as Record<string, unknown>, rest, value)
    : value,
});

/** True if a field has a rule that a schema cannot state, so the description explains it instead. */
const hasFurtherRule = (path: string[], body: PublishedBody): boolean => {
  const field = listActions(site).find(
    ({ subsite, action }) =>
      subsite.name === body.valid['subsite'] && action.verb === body.valid['action'],
  )?.action.fields[path[0] === 'fields' ? path[1]! : ''];
  return (
    field?.item === true ||
    field?.content !== undefined ||
    ['date', 'phone'].includes(field?.type ?? '') ||
    // A registry or a stored request decides whether these values exist.
    ['subsite', 'action', 'source', 'contract', 'accept', 'decline'].includes(path.at(-1)!)
  );
};

/** The pointers of the server's errors about a body. */
function pointersOf({ operation }: PublishedBody, value: Record<string, unknown>): string[] {
  try {
    operation.parse(
      { ...(operation === sendMessage && { receipt: 'sandbox' }), ...value },
      context,
    );
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return (error.errors ?? []).map(({ pointer }) => pointer);
  }
}

describe('the limits of every published body', () => {
  it.each(bodies)('$name are those of the server', (body) => {
    const check = ajv.compile(body.schema);
    expect([check(body.valid), check.errors, pointersOf(body, body.valid)]).toEqual([
      true,
      null,
      [],
    ]);
    const places = listPlaces(body.schema).filter(([path]) => !hasFurtherRule(path, body));
    expect(places.length).toBeGreaterThan(0);
    const differences = places.flatMap(([path, place]) =>
      listProbes(place).flatMap((probe) => {
        const value = replaceValue(body.valid, path, probe);
        const pointer = `/${path.join('/')}`;
        const server = pointersOf(body, value).includes(pointer) ? 'rejected' : 'accepted';
        const schema = check(value) ? 'accepted' : 'rejected';
        const shown = typeof probe === 'string' ? `${probe.slice(0, 9)} (${probe.length})` : probe;
        return server === schema ? [] : [{ pointer, shown, server, schema }];
      }),
    );
    expect(differences).toEqual([]);
  });
});
