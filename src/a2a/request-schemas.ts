import { RequestMalformedError } from '@a2a-js/sdk/errors';
import * as v from 'valibot';
import { callbackUrlSchema } from '../leads/submit/callback.ts';
import { parsePointer } from '../operation/json-pointer.ts';
import { validateValue, withExpectation, jsonObject } from '../operation/validate.ts';
import { memberOf } from '../site/json-object.ts';

export const MAX_PARTS = 20;
const MAX_ERRORS = 10;

const stringSchema = v.pipe(v.string(), withExpectation('Send text, or leave it out.'));
const booleanSchema = v.pipe(v.boolean(), withExpectation('Send true or false, or leave it out.'));
const countSchema = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(2 ** 31 - 1),
  withExpectation('Send a whole number of at least 0, or leave it out.'),
);
/** The number of tasks on a page (A2A 1.0, “ListTasksRequest”). */
const pageSizeSchema = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(100),
  withExpectation('Send a whole number from 1 to 100, or leave it out.'),
);
const stringArraySchema = v.pipe(
  v.array(stringSchema),
  withExpectation('Send an array of strings, or leave it out.'),
);
const anyObjectSchema = v.pipe(jsonObject, withExpectation('Send an object, or leave it out.'));
/** An enum value by name or, as ProtoJSON allows, by number. */
const enumSchema = v.pipe(
  v.union([v.string(), v.number()]),
  withExpectation('Send one of the names that A2A defines, or leave it out.'),
);

const toSnakeCase = (member: string) =>
  member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * An object with optional members, each under either name that ProtoJSON accepts; null means
 * absent. Unknown members are dropped because a later A2A version may add some.
 */
const createObjectSchema = (
  expectation: string,
  entries: Readonly<Record<string, v.GenericSchema>>,
  required: v.ObjectEntries = {},
) =>
  v.pipe(
    v.object({
      ...Object.fromEntries(
        Object.entries(entries).flatMap(([member, schema]) =>
          [...new Set([member, toSnakeCase(member)])].map((name) => [name, v.nullish(schema)]),
        ),
      ),
      ...required,
    }),
    withExpectation(expectation),
  );

/** Says what `message.parts` accepts. */
export const PARTS_MESSAGE = `Send 1 to ${MAX_PARTS} parts: text with a question, or one data part with subsite, action and fields.`;

const partMembers = {
  text: stringSchema,
  data: v.unknown(),
  metadata: anyObjectSchema,
  mediaType: stringSchema,
  filename: stringSchema,
  url: stringSchema,
};
const PART_MESSAGE = 'Send an object with text or data.';
const currentPartSchema = createObjectSchema(PART_MESSAGE, { ...partMembers, raw: stringSchema });
const legacyPartSchema = createObjectSchema(
  PART_MESSAGE,
  { ...partMembers, file: anyObjectSchema },
  {
    kind: v.pipe(
      v.picklist(['text', 'data', 'file']),
      withExpectation('Send text, data or file: in A2A 0.3 each part names its kind.'),
    ),
  },
);

const createPatternSchema = (pattern: RegExp, expectation: string) =>
  v.pipe(v.string(), v.regex(pattern), withExpectation(expectation));
/** A configuration ID, which is part of URLs in the HTTP+JSON binding. */
const configIdSchema = createPatternSchema(
  /^[\x21-\x2e\x30-\x7e]{0,255}$/,
  'Send at most 255 visible ASCII characters without a slash, or leave it out.',
);
/** Values sent in the headers of each notification. */
const tokenSchema = createPatternSchema(
  /^[\x21-\x7e]{0,1000}$/,
  'Send at most 1,000 visible ASCII characters, or leave it out.',
);
const credentialsSchema = createPatternSchema(
  /^(?:[\x21-\x7e](?:[\x20-\x7e]{0,3998}[\x21-\x7e])?)?$/,
  'Send at most 4,000 ASCII characters, or omit the value.',
);
const SCHEME_MESSAGE = 'Send the name of an HTTP authentication scheme, such as Bearer.';
const schemeSchema = createPatternSchema(/^[\w!#$%&'*+.^`|~-]{1,64}$/, SCHEME_MESSAGE);

const createPushConfigSchema = (authentication: v.GenericSchema) =>
  createObjectSchema(
    'Send an object with url.',
    {
      tenant: stringSchema,
      id: configIdSchema,
      taskId: stringSchema,
      token: tokenSchema,
      authentication,
    },
    { url: callbackUrlSchema },
  );
const currentPushConfigSchema = createPushConfigSchema(
  createObjectSchema(
    'Send an object with scheme and credentials, or leave it out.',
    { credentials: credentialsSchema },
    { scheme: schemeSchema },
  ),
);
const legacyPushConfigSchema = createPushConfigSchema(
  createObjectSchema(
    'Send an object with schemes and credentials, or leave it out.',
    { credentials: credentialsSchema },
    {
      schemes: v.pipe(
        v.array(schemeSchema),
        v.minLength(1),
        withExpectation(`Send an array. ${SCHEME_MESSAGE}`),
      ),
    },
  ),
);
const createSendParamsSchema = (part: v.GenericSchema) =>
  createObjectSchema('Send an object with a message.', {
    message: createObjectSchema('Send a message with messageId, role and parts.', {
      messageId: stringSchema,
      contextId: stringSchema,
      taskId: stringSchema,
      role: enumSchema,
      kind: stringSchema,
      parts: v.pipe(v.array(part), withExpectation(PARTS_MESSAGE)),
      metadata: anyObjectSchema,
      extensions: stringArraySchema,
      referenceTaskIds: stringArraySchema,
    }),
    configuration: createObjectSchema('Send an object, or leave it out.', {
      acceptedOutputModes: stringArraySchema,
      historyLength: countSchema,
      returnImmediately: booleanSchema,
      blocking: booleanSchema,
      pushNotificationConfig: legacyPushConfigSchema,
      taskPushNotificationConfig: currentPushConfigSchema,
    }),
    metadata: anyObjectSchema,
    tenant: stringSchema,
  });

const sendParamsSchemas = {
  current: createSendParamsSchema(currentPartSchema),
  legacy: createSendParamsSchema(legacyPartSchema),
};

const taskIdParamsSchema = createObjectSchema('Send an object with id, the ID of a task.', {
  id: stringSchema,
  tenant: stringSchema,
  historyLength: countSchema,
  metadata: anyObjectSchema,
});
const listParamsSchema = createObjectSchema('Send an object.', {
  tenant: stringSchema,
  contextId: stringSchema,
  status: enumSchema,
  pageSize: pageSizeSchema,
  pageToken: stringSchema,
  historyLength: countSchema,
  statusTimestampAfter: stringSchema,
  includeArtifacts: booleanSchema,
});

const legacySetPushConfigParamsSchema = createObjectSchema(
  'Send an object with taskId and pushNotificationConfig.',
  { taskId: stringSchema, metadata: anyObjectSchema },
  { pushNotificationConfig: legacyPushConfigSchema },
);
const pushConfigParamsSchema = createObjectSchema('Send an object with id, the ID of a task.', {
  tenant: stringSchema,
  taskId: stringSchema,
  id: stringSchema,
  pageSize: countSchema,
  pageToken: stringSchema,
});
const legacyPushConfigParamsSchema = createObjectSchema(
  'Send an object with id, the ID of a task.',
  {
    id: stringSchema,
    pushNotificationConfigId: stringSchema,
    metadata: anyObjectSchema,
  },
);

/** The params of each method. Methods not listed here are rejected before their params are used. */
const paramSchemas: Readonly<Record<string, v.GenericSchema>> = {
  SendMessage: sendParamsSchemas.current,
  SendStreamingMessage: sendParamsSchemas.current,
  'message/send': sendParamsSchemas.legacy,
  'message/stream': sendParamsSchemas.legacy,
  GetTask: taskIdParamsSchema,
  'tasks/get': taskIdParamsSchema,
  SubscribeToTask: taskIdParamsSchema,
  'tasks/resubscribe': taskIdParamsSchema,
  CancelTask: taskIdParamsSchema,
  'tasks/cancel': taskIdParamsSchema,
  ListTasks: listParamsSchema,
  CreateTaskPushNotificationConfig: currentPushConfigSchema,
  GetTaskPushNotificationConfig: pushConfigParamsSchema,
  ListTaskPushNotificationConfigs: pushConfigParamsSchema,
  DeleteTaskPushNotificationConfig: pushConfigParamsSchema,
  'tasks/pushNotificationConfig/set': legacySetPushConfigParamsSchema,
  'tasks/pushNotificationConfig/get': legacyPushConfigParamsSchema,
  'tasks/pushNotificationConfig/list': legacyPushConfigParamsSchema,
  'tasks/pushNotificationConfig/delete': legacyPushConfigParamsSchema,
};

/** Methods of A2A 1.0, as JSON-RPC names them. */
export const CURRENT_METHODS: readonly string[] = [
  ...Object.keys(paramSchemas).filter((method) => !method.includes('/')),
  'GetExtendedAgentCard',
];

/** A path in A2A notation: `message.parts[0].kind`. */
const toMessagePath = (pointer: string) =>
  parsePointer(pointer).reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step),
    '',
  ) || 'params';

/**
 * The validated params of a method; the SDK validates none. @throws {RequestMalformedError} listing
 * each invalid member
 */
export function parseParams(method: string, params: unknown): unknown {
  const schema = memberOf(paramSchemas, method);
  if (!schema) return params;
  const { output, errors } = validateValue(schema, params ?? {});
  if (!errors.length) return output;
  throw new RequestMalformedError(
    errors
      .slice(0, MAX_ERRORS)
      .map(({ pointer, message }) => `${toMessagePath(pointer)}: ${message}`)
      .join('\n'),
  );
}
