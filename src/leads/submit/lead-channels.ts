import * as v from 'valibot';
import type { Action } from '../../registry/schemas/action.ts';
import { exampleValuesOf, fieldsJsonSchemaOf } from '../../fields/fields.ts';
import { MAX_EMAIL_LENGTH } from '../../fields/kinds/email.ts';
import { PHONE_DESCRIPTION, PHONE_PATTERN } from '../../fields/kinds/phone.ts';
import type { Site } from '../../site/site.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { describeMessageHint } from '../../site/forms/message-hint.ts';
import { CONTACT_ADVICE } from '../../site/forms/contact-rule.ts';
import { idempotencyParameter } from '../../operation/idempotency.ts';
import { jsonSchemaOf } from '../../operation/json-schema.ts';
import { callbackSchema, MAX_URL_LENGTH } from './callback.ts';
import {
  contactSchema,
  MAX_NAME_LENGTH,
  notifySchema,
  sandboxSchema,
  SOURCE_PATTERN,
} from './lead-input.ts';
import { contractParameter, contractSchema } from './contracts.ts';
import { digestContract } from '../../site/contract.ts';
import type { JsonSchema } from '../../operation/operation.ts';
import type { ProblemCode } from '../../operation/problem.ts';
import { createLeadReceipt, receiptSchema } from '../status/receipt.ts';
import { withExpectation } from '../../operation/validate.ts';

/* Parameters, members and descriptions that the channels for leads share. */

/** Problems that every channel for leads can return. */
export const leadProblems: readonly ProblemCode[] = [
  'invalid_input',
  'in_flight',
  'conflict',
  'contract_changed',
  'budget_exceeded',
  'idempotency_mismatch',
  'gone',
  'unauthorized',
  'insufficient_scope',
];

export const sourceSchema = v.pipe(
  v.string(),
  v.regex(new RegExp(SOURCE_PATTERN)),
  withExpectation('Enter a label of at most 64 letters, digits, dots, hyphens and underscores.'),
  v.description('Label for the origin of the lead; defaults to the subsite’s leadSource.'),
);

/** Members of every body that creates a lead. */
export const sharedMembers = {
  sandbox: v.optional(sandboxSchema),
  notify: v.optional(notifySchema),
  contract: v.optional(contractSchema),
  callback: v.optional(callbackSchema),
};

const EXAMPLE_CONTACT = { name: 'Dana Reyes', email: 'dana@example.com', phone: '(727) 555-0142' };

/** JSON Schemas of the members that every envelope has in addition to the action and its fields. */
const createEnvelopeMembers = (): JsonSchema => ({
  contact: { $ref: '#/components/schemas/Contact' },
  source: jsonSchemaOf(sourceSchema),
  sandbox: jsonSchemaOf(sandboxSchema),
  notify: jsonSchemaOf(notifySchema),
  contract: jsonSchemaOf(contractSchema),
  callback: jsonSchemaOf(callbackSchema),
});

/**
 * Component name of an action's envelope. It includes the subsite, because more than one subsite
 * may use the same verb.
 */
export const componentNameOf = (subsite: Subsite, action: Action): string =>
  `${subsite.name}.${action.verb}`;

/**
 * JSON Schema of an action's envelope; `isSetByUrl` is true if the URL determines the subsite and
 * the action.
 */
export function createActionEnvelope(
  subsite: Subsite,
  action: Action,
  isSetByUrl: boolean,
): JsonSchema {
  const needsFields = Object.values(action.fields).some((field) => field.required);
  return {
    title: `${subsite.title}: ${action.title}`,
    description: [action.description, describeMessageHint(action)].filter(Boolean).join(' '),
    'x-contract': digestContract(subsite, action),
    type: 'object',
    properties: {
      subsite: { type: 'string', const: subsite.name, description: 'Subsite name.' },
      action: { type: 'string', const: action.verb, description: 'Action name.' },
      fields: fieldsJsonSchemaOf(action.fields),
      ...createEnvelopeMembers(),
    },
    required: [...(isSetByUrl ? [] : ['subsite', 'action']), ...(needsFields ? ['fields'] : [])],
    additionalProperties: false,
  };
}

const CONTACT_PROPERTIES = {
  name: { type: 'string', pattern: '\\S', maxLength: MAX_NAME_LENGTH },
  email: { type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH },
  phone: { type: 'string', pattern: PHONE_PATTERN, description: PHONE_DESCRIPTION },
};

const callbackJsonSchema: JsonSchema = {
  type: 'object',
  properties: { url: { type: 'string', format: 'uri', maxLength: MAX_URL_LENGTH } },
  required: ['url'],
  additionalProperties: false,
};

/** JSON Schema of a body with no members other than its properties. */
export interface BodySchema extends JsonSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required: string[];
  additionalProperties: false;
}

/**
 * Compact, self-contained JSON Schema of an action's envelope: subsite, verb, fields and contact.
 * It accepts exactly the requests that the action accepts.
 */
export function createCompactBodySchema(subsite: Subsite, action: Action): BodySchema {
  const needsFields = Object.values(action.fields).some((field) => field.required);
  return {
    type: 'object',
    properties: {
      subsite: { const: subsite.name },
      action: { const: action.verb },
      fields: fieldsJsonSchemaOf(action.fields),
      contact: {
        type: 'object',
        description: CONTACT_ADVICE,
        properties: CONTACT_PROPERTIES,
        additionalProperties: false,
      },
      contract: { const: digestContract(subsite, action) },
      sandbox: {
        type: 'boolean',
        description: 'Validate only.',
      },
      source: { type: 'string', pattern: SOURCE_PATTERN },
      notify: { type: 'boolean' },
      callback: callbackJsonSchema,
    },
    required: ['subsite', 'action', ...(needsFields ? ['fields'] : [])],
    additionalProperties: false,
  };
}

/** Compact, self-contained JSON Schema of the body of a request to leave an email address. */
export const createCompactCaptureSchema = ({ leadSource }: Subsite): BodySchema => ({
  type: 'object',
  properties: {
    email: CONTACT_PROPERTIES.email,
    source: { const: leadSource },
    name: CONTACT_PROPERTIES.name,
    data: { type: 'object', description: 'Anything else, such as `message`.' },
    sandbox: { type: 'boolean', description: 'Validate only.' },
    notify: { type: 'boolean' },
    callback: callbackJsonSchema,
  },
  required: ['email', 'source'],
  additionalProperties: false,
});

/**
 * Maximum number of actions whose bodies are described individually. A larger network has one
 * common description, because nobody reads a document with thousands of branches; the subsite
 * records list the fields.
 */
export const MAX_DESCRIBED_ACTIONS = 200;

/** JSON Schema of any action's envelope, without its fields. */
export const createAnyActionEnvelope = (): JsonSchema => ({
  title: 'Any action',
  description:
    'An action of a subsite. The subsite record at /api/agent/{name} lists its actions with their fields.',
  type: 'object',
  properties: {
    subsite: { type: 'string', description: 'Subsite name.' },
    action: { type: 'string', description: 'Verb of the action.' },
    fields: {
      type: 'object',
      description: 'Fields of the action by name.',
      additionalProperties: { type: ['string', 'number', 'array'] },
    },
    ...createEnvelopeMembers(),
  },
  required: ['subsite', 'action'],
  additionalProperties: false,
});

/**
 * A valid sample body for an action, from the examples of its fields. It is a sandbox request, so
 * that sending it creates no lead.
 */
export const createActionExample = (
  subsite: Subsite,
  action: Action,
  isSetByUrl: boolean,
): Record<string, unknown> => ({
  ...(isSetByUrl ? {} : { subsite: subsite.name, action: action.verb }),
  fields: exampleValuesOf(action.fields),
  contact: EXAMPLE_CONTACT,
  sandbox: true,
});

/** The parts of a description shared by all operations that create leads. */
export const describeLeadOperation = (
  site: Site,
  subsite: Subsite | undefined,
  verb: string | null,
) => ({
  parameters: [idempotencyParameter, contractParameter],
  response: { $ref: '#/components/schemas/Receipt' },
  responseExample: createLeadReceipt(
    site,
    {
      receiptToken: 'V1StGXR8_Z5jdHi6B-myT',
      reference: '3HN7QK94RWDX8MTC',
      createdAt: '2026-11-02T15:04:05.000Z',
      subsite: subsite?.name ?? 'name',
      action: verb,
      isEmergency: false,
      isReachable: true,
      hasEmail: true,
    },
    {},
  ),
  components: { Contact: jsonSchemaOf(contactSchema), Receipt: jsonSchemaOf(receiptSchema) },
});
