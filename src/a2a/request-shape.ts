import { RequestMalformedError } from '@a2a-js/sdk/errors';
import * as v from 'valibot';
import { callbackUrlSchema } from '../leads/submit/callback.ts';
import { check, expecting, jsonObject, stepsOf } from '../operation/validate.ts';

/** Maximum parts of a message. */
export const MAX_PARTS = 20;
/** Maximum number of errors in one response. */
const MAX_NAMED = 10;

const text = v.pipe(v.string(), expecting('Write text, or leave it out.'));
const flag = v.pipe(v.boolean(), expecting('Write true or false, or leave it out.'));
const count = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(2 ** 31 - 1),
  expecting('Write a whole number of at least 0, or leave it out.'),
);
const texts = v.pipe(v.array(text), expecting('Write a list of texts, or leave it out.'));
const anyObject = v.pipe(jsonObject, expecting('Send an object, or leave it out.'));
/** An enum value by name or, as ProtoJSON allows, by number. */
const name = v.pipe(
  v.union([v.string(), v.number()]),
  expecting('Write one of the names that A2A lists, or leave it out.'),
);

const snakeCase = (member: string) =>
  member.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

/**
 * An object with optional members under either name that ProtoJSON accepts; null means absent.
 * Unknown members are dropped because a later A2A version may add some.
 */
const members = (
  entries: Readonly<Record<string, v.GenericSchema>>,
  required: v.ObjectEntries = {},
) =>
  v.object({
    ...Object.fromEntries(
      Object.entries(entries).flatMap(([member, schema]) =>
        [...new Set([member, snakeCase(member)])].map((each) => [each, v.nullish(schema)]),
      ),
    ),
    ...required,
  });

const PARTS = `Send 1 to ${MAX_PARTS} parts: text with a question, or one data part with subsite, action and fields.`;

const partMembers = {
  text,
  data: v.unknown(),
  metadata: anyObject,
  mediaType: text,
  filename: text,
  url: text,
};
const currentPart = members({ ...partMembers, raw: text });
const legacyPart = members(
  { ...partMembers, file: anyObject },
  {
    kind: v.pipe(
      v.picklist(['text', 'data', 'file']),
      expecting('Write text, data or file: in A2A 0.3 each part names its kind.'),
    ),
  },
);

const matching = (pattern: RegExp, expect: string) =>
  v.pipe(v.string(), v.regex(pattern), expecting(expect));
/** A configuration ID, which is part of URLs in the HTTP+JSON binding. */
const configId = matching(
  /^[\x21-\x2e\x30-\x7e]{0,255}$/,
  'Write at most 255 visible ASCII characters without a slash, or leave it out.',
);
/** What is sent in headers with each notification. */
const token = matching(
  /^[\x21-\x7e]{0,1000}$/,
  'Write at most 1,000 visible ASCII characters, or leave it out.',
);
const credentials = matching(
  /^(?:[\x21-\x7e](?:[\x20-\x7e]{0,3998}[\x21-\x7e])?)?$/,
  'Write at most 4,000 ASCII characters, or leave them out.',
);
const SCHEME = 'Write the name of an HTTP authentication scheme, such as Bearer.';
const scheme = matching(/^[\w!#$%&'*+.^`|~-]{1,64}$/, SCHEME);

const pushConfig = (authentication: v.GenericSchema) =>
  v.pipe(
    members(
      { tenant: text, id: configId, taskId: text, token, authentication },
      { url: callbackUrlSchema },
    ),
    expecting('Send an object with url.'),
  );
const currentPush = pushConfig(
  v.pipe(
    members({ credentials }, { scheme }),
    expecting('Send an object with scheme and credentials, or leave it out.'),
  ),
);
const legacyPush = pushConfig(
  v.pipe(
    members(
      { credentials },
      { schemes: v.pipe(v.array(scheme), v.minLength(1), expecting(`Send a list. ${SCHEME}`)) },
    ),
    expecting('Send an object with schemes and credentials, or leave it out.'),
  ),
);
const paramsWith = (part: v.GenericSchema) =>
  v.pipe(
    members({
      message: v.pipe(
        members({
          messageId: text,
          contextId: text,
          taskId: text,
          role: name,
          kind: text,
          parts: v.pipe(
            v.array(v.pipe(part, expecting('Send an object with text or data.'))),
            expecting(PARTS),
          ),
          metadata: anyObject,
          extensions: texts,
          referenceTaskIds: texts,
        }),
        expecting('Send a message with messageId, role and parts.'),
      ),
      configuration: v.pipe(
        members({
          acceptedOutputModes: texts,
          historyLength: count,
          returnImmediately: flag,
          blocking: flag,
          pushNotificationConfig: legacyPush,
          taskPushNotificationConfig: currentPush,
        }),
        expecting('Send an object, or leave it out.'),
      ),
      metadata: anyObject,
      tenant: text,
    }),
    expecting('Send an object with a message.'),
  );

const sending = { current: paramsWith(currentPart), legacy: paramsWith(legacyPart) };

const taskIdParams = v.pipe(
  members({ id: text, tenant: text, historyLength: count, metadata: anyObject }),
  expecting('Send an object with the id of a task.'),
);
const listing = v.pipe(
  members({
    tenant: text,
    contextId: text,
    status: name,
    pageSize: count,
    pageToken: text,
    historyLength: count,
    statusTimestampAfter: text,
    includeArtifacts: flag,
  }),
  expecting('Send an object.'),
);

const settingLegacyPush = v.pipe(
  members({ taskId: text, metadata: anyObject }, { pushNotificationConfig: legacyPush }),
  expecting('Send an object with taskId and pushNotificationConfig.'),
);
const aboutPush = v.pipe(
  members({ tenant: text, taskId: text, id: text, pageSize: count, pageToken: text }),
  expecting('Send an object with the id of a task.'),
);
const aboutLegacyPush = v.pipe(
  members({ id: text, pushNotificationConfigId: text, metadata: anyObject }),
  expecting('Send an object with the id of a task.'),
);

/** The params of each method. Methods not listed here are rejected before their params are used. */
const shapes: Readonly<Record<string, v.GenericSchema>> = {
  SendMessage: sending.current,
  SendStreamingMessage: sending.current,
  'message/send': sending.legacy,
  'message/stream': sending.legacy,
  GetTask: taskIdParams,
  'tasks/get': taskIdParams,
  SubscribeToTask: taskIdParams,
  'tasks/resubscribe': taskIdParams,
  CancelTask: taskIdParams,
  'tasks/cancel': taskIdParams,
  ListTasks: listing,
  CreateTaskPushNotificationConfig: currentPush,
  GetTaskPushNotificationConfig: aboutPush,
  ListTaskPushNotificationConfigs: aboutPush,
  DeleteTaskPushNotificationConfig: aboutPush,
  'tasks/pushNotificationConfig/set': settingLegacyPush,
  'tasks/pushNotificationConfig/get': aboutLegacyPush,
  'tasks/pushNotificationConfig/list': aboutLegacyPush,
  'tasks/pushNotificationConfig/delete': aboutLegacyPush,
};

/** Methods of A2A 1.0, as JSON-RPC names them. */
export const METHODS: readonly string[] = [
  ...Object.keys(shapes).filter((method) => !method.includes('/')),
  'GetExtendedAgentCard',
];

/** A path in A2A's own notation: `message.parts[0].kind`. */
const placeOf = (pointer: string) =>
  stepsOf(pointer).reduce(
    (place, step) => (/^\d+$/.test(step) ? `${place}[${step}]` : place ? `${place}.${step}` : step),
    '',
  ) || 'params';

/**
 * The validated params of a method; the SDK validates none. @throws {RequestMalformedError} listing
 * each invalid member
 */
export function checkedParams(method: string, params: unknown): unknown {
  const shape = shapes[method];
  if (!shape) return params;
  const { output, errors } = check(shape, params ?? {});
  if (!errors.length) return output;
  throw new RequestMalformedError(
    errors
      .slice(0, MAX_NAMED)
      .map(({ pointer, message }) => `${placeOf(pointer)}: ${message}`)
      .join('\n'),
  );
}
