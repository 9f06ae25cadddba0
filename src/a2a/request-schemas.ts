import { RequestMalformedError } from '@a2a-js/sdk/errors';
import * as v from 'valibot';
import { callbackUrlSchema } from '../leads/submit/callback.ts';
import { parsePointer } from '../operation/json-pointer.ts';
import { check, withExpectation, jsonObject } from '../operation/validate.ts';
import { memberOf } from '../site/json-object.ts';

/** Maximum number of parts in a message. */
export const MAX_PARTS = 20;
/** Maximum number of errors in one response. */
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
const stringArray = v.pipe(
  v.array(stringSchema),
  withExpectation('Send an array of strings, or leave it out.'),
);
const anyObject = v.pipe(jsonObject, withExpectation('Send an object, or leave it out.'));
/** An enum value by name or, as ProtoJSON allows, by number. */
const enumSchema = v.pipe(
  v.union([v.string(), v.number()]),
  withExpectation('Send one of the names that A2A defines, or leave it out.'),
);

const toSnakeCase = (member: string) =>
  member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * An object with optional members under either name that ProtoJSON accepts; null means absent.
 * Unknown members are dropped because a later A2A version may add some.
 */
const objectSchema = (
  entries: Readonly<Record<string, v.GenericSchema>>,
  required: v.ObjectEntries = {},
) =>
  v.object({
    ...Object.fromEntries(
      Object.entries(entries).flatMap(([member, schema]) =>
        [...new Set([member, toSnakeCase(member)])].map((name) => [name, v.nullish(schema)]),
      ),
    ),
    ...required,
  });

const PARTS_MESSAGE = `Send 1 to ${MAX_PARTS} parts: text with a question, or one data part with subsite, action and fields.`;

const partMembers = {
  text: stringSchema,
  data: v.unknown(),
  metadata: anyObject,
  mediaType: stringSchema,
  filename: stringSchema,
  url: stringSchema,
};
const currentPart = objectSchema({ ...partMembers, raw: stringSchema });
const legacyPart = objectSchema(
  { ...partMembers, file: anyObject },
  {
    kind: v.pipe(
      v.picklist(['text', 'data', 'file']),
      withExpectation('Send text, data or file: in A2A 0.3 each part names its kind.'),
    ),
  },
);

const patternSchema = (pattern: RegExp, expectation: string) =>
  v.pipe(v.string(), v.regex(pattern), withExpectation(expectation));
/** A configuration ID, which is part of URLs in the HTTP+JSON binding. */
const configId = patternSchema(
  /^[\x21-\x2e\x30-\x7e]{0,255}$/,
  'Send at most 255 visible ASCII characters without a slash, or leave it out.',
);
/** Values sent in headers with each notification. */
const token = patternSchema(
  /^[\x21-\x7e]{0,1000}$/,
  'Send at most 1,000 visible ASCII characters, or leave it out.',
);
const credentials = patternSchema(
  /^(?:[\x21-\x7e](?:[\x20-\x7e]{0,3998}[\x21-\x7e])?)?$/,
  'Send at most 4,000 ASCII characters, or leave them out.',
);
const SCHEME_MESSAGE = 'Send the name of an HTTP authentication scheme, such as Bearer.';
const scheme = patternSchema(/^[\w!#$%&'*+.^`|~-]{1,64}$/, SCHEME_MESSAGE);

const pushConfigSchema = (authentication: v.GenericSchema) =>
  v.pipe(
    objectSchema(
      { tenant: stringSchema, id: configId, taskId: stringSchema, token, authentication },
      { url: callbackUrlSchema },
    ),
    withExpectation('Send an object with url.'),
  );
const currentPush = pushConfigSchema(
  v.pipe(
    objectSchema({ credentials }, { scheme }),
    withExpectation('Send an object with scheme and credentials, or leave it out.'),
  ),
);
const legacyPush = pushConfigSchema(
  v.pipe(
    objectSchema(
      { credentials },
      {
        schemes: v.pipe(
          v.array(scheme),
          v.minLength(1),
          withExpectation(`Send an array. ${SCHEME_MESSAGE}`),
        ),
      },
    ),
    withExpectation('Send an object with schemes and credentials, or leave it out.'),
  ),
);
const sendParamsSchema = (part: v.GenericSchema) =>
  v.pipe(
    objectSchema({
      message: v.pipe(
        objectSchema({
          messageId: stringSchema,
          contextId: stringSchema,
          taskId: stringSchema,
          role: enumSchema,
          kind: stringSchema,
          parts: v.pipe(
            v.array(v.pipe(part, withExpectation('Send an object with text or data.'))),
            withExpectation(PARTS_MESSAGE),
          ),
          metadata: anyObject,
          extensions: stringArray,
          referenceTaskIds: stringArray,
        }),
        withExpectation('Send a message with messageId, role and parts.'),
      ),
      configuration: v.pipe(
        objectSchema({
          acceptedOutputModes: stringArray,
          historyLength: countSchema,
          returnImmediately: booleanSchema,
          blocking: booleanSchema,
          pushNotificationConfig: legacyPush,
          taskPushNotificationConfig: currentPush,
        }),
        withExpectation('Send an object, or leave it out.'),
      ),
      metadata: anyObject,
      tenant: stringSchema,
    }),
    withExpectation('Send an object with a message.'),
  );

const sendParams = { current: sendParamsSchema(currentPart), legacy: sendParamsSchema(legacyPart) };

const taskIdParams = v.pipe(
  objectSchema({
    id: stringSchema,
    tenant: stringSchema,
    historyLength: countSchema,
    metadata: anyObject,
  }),
  withExpectation('Send an object with the id of a task.'),
);
const listParams = v.pipe(
  objectSchema({
    tenant: stringSchema,
    contextId: stringSchema,
    status: enumSchema,
    pageSize: countSchema,
    pageToken: stringSchema,
    historyLength: countSchema,
    statusTimestampAfter: stringSchema,
    includeArtifacts: booleanSchema,
  }),
  withExpectation('Send an object.'),
);

const legacyPushSetParams = v.pipe(
  objectSchema(
    { taskId: stringSchema, metadata: anyObject },
    { pushNotificationConfig: legacyPush },
  ),
  withExpectation('Send an object with taskId and pushNotificationConfig.'),
);
const pushParams = v.pipe(
  objectSchema({
    tenant: stringSchema,
    taskId: stringSchema,
    id: stringSchema,
    pageSize: countSchema,
    pageToken: stringSchema,
  }),
  withExpectation('Send an object with the id of a task.'),
);
const legacyPushParams = v.pipe(
  objectSchema({ id: stringSchema, pushNotificationConfigId: stringSchema, metadata: anyObject }),
  withExpectation('Send an object with the id of a task.'),
);

/** The params of each method. Methods not listed here are rejected before their params are used. */
const paramSchemas: Readonly<Record<string, v.GenericSchema>> = {
  SendMessage: sendParams.current,
  SendStreamingMessage: sendParams.current,
  'message/send': sendParams.legacy,
  'message/stream': sendParams.legacy,
  GetTask: taskIdParams,
  'tasks/get': taskIdParams,
  SubscribeToTask: taskIdParams,
  'tasks/resubscribe': taskIdParams,
  CancelTask: taskIdParams,
  'tasks/cancel': taskIdParams,
  ListTasks: listParams,
  CreateTaskPushNotificationConfig: currentPush,
  GetTaskPushNotificationConfig: pushParams,
  ListTaskPushNotificationConfigs: pushParams,
  DeleteTaskPushNotificationConfig: pushParams,
  'tasks/pushNotificationConfig/set': legacyPushSetParams,
  'tasks/pushNotificationConfig/get': legacyPushParams,
  'tasks/pushNotificationConfig/list': legacyPushParams,
  'tasks/pushNotificationConfig/delete': legacyPushParams,
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
export function checkParams(method: string, params: unknown): unknown {
  const schema = memberOf(paramSchemas, method);
  if (!schema) return params;
  const { output, errors } = check(schema, params ?? {});
  if (!errors.length) return output;
  throw new RequestMalformedError(
    errors
      .slice(0, MAX_ERRORS)
      .map(({ pointer, message }) => `${toMessagePath(pointer)}: ${message}`)
      .join('\n'),
  );
}
