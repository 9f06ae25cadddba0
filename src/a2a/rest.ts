import {
  A2A_CONTENT_TYPE,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import {
  A2AError,
  RequestMalformedError,
  restStatusFor,
  toRestErrorBody,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { Problem } from '../operation/problem.ts';
import { createAnonymousCall, type Caller, stateOf } from './binding.ts';
import { createEventStreamResponse } from '../http/event-stream.ts';
import { createRestErrorResponse, createRestProblemResponse } from './faults.ts';
import { parseParams } from './request-schemas.ts';

export interface RestRequest extends Caller {
  method: string;
  /** Path below the endpoint, for example `/message:send`. */
  path: string;
  query: URLSearchParams;
  /** The JSON body; undefined if empty. */
  body: unknown;
}

interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: RegExp;
  answer: (
    handler: A2ARequestHandler,
    request: RestRequest,
    taskId: string,
    call: ServerCallContext,
    configId: string,
  ) => Promise<unknown>;
}

async function* streamJson(responses: AsyncIterable<StreamResponse>) {
  for await (const response of responses) yield StreamResponse.toJSON(response);
}

const toObject = (value: unknown) => (typeof value === 'object' && value !== null ? value : {});

const isEventStream = (value: unknown): value is ReturnType<typeof streamJson> =>
  Symbol.asyncIterator in toObject(value);

/** Decodes input, and replaces the arbitrary errors that the SDK throws. */
function decode<T>(messageType: { fromJSON: (value: object) => T }, value: unknown): T {
  try {
    return messageType.fromJSON(toObject(value));
  } catch {
    throw new RequestMalformedError('The request does not match its A2A schema.');
  }
}

const COUNT_NAME_PATTERN = /^(?:history_?length|page_?size)$/i;
const FLAG_NAME_PATTERN = /^include_?artifacts$/i;

/**
 * Converts a query parameter to its JSON value; the schema rejects NaN and other malformed values.
 */
function toJsonValue(name: string, text: string): unknown {
  if (COUNT_NAME_PATTERN.test(name)) return text === '' ? text : Number(text);
  if (FLAG_NAME_PATTERN.test(name) && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

/** Converts a query to a method's validated params, including values from the path. */
const parseQuery = (method: string, query: URLSearchParams, pathValues: object = {}): unknown =>
  parseParams(method, {
    ...Object.fromEntries([...query].map(([name, text]) => [name, toJsonValue(name, text)])),
    ...pathValues,
  });

const subscribe: Route['answer'] = async (handler, _, id, call) =>
  streamJson(handler.resubscribe(decode(SubscribeToTaskRequest, { id }), call));

/** Paths of the A2A 1.0 HTTP+JSON binding; the first group captures a task ID. */
const routes: readonly Route[] = [
  {
    method: 'POST',
    path: /^\/message:send$/,
    async answer(handler, { body }, _, call) {
      const params = parseParams('SendMessage', body);
      const result = await handler.sendMessage(decode(SendMessageRequest, params), call);
      return 'messageId' in result
        ? { message: Message.toJSON(result) }
        : { task: Task.toJSON(result) };
    },
  },
  {
    method: 'POST',
    path: /^\/message:stream$/,
    async answer(handler, { body }, _, call) {
      const params = parseParams('SendStreamingMessage', body);
      return streamJson(handler.sendMessageStream(decode(SendMessageRequest, params), call));
    },
  },
  {
    method: 'GET',
    path: /^\/tasks$/,
    async answer(handler, { query }, _, call) {
      const taskPage = await handler.listTasks(
        decode(ListTasksRequest, parseQuery('ListTasks', query)),
        call,
      );
      // A list includes its empty and zero members (A2A 1.0, “ListTasksResponse”).
      return {
        tasks: [],
        nextPageToken: '',
        pageSize: 0,
        totalSize: 0,
        ...(ListTasksResponse.toJSON(taskPage) as object),
      };
    },
  },
  {
    method: 'GET',
    path: /^\/tasks\/([^/:]+)$/,
    answer: async (handler, { query }, id, call) =>
      Task.toJSON(
        await handler.getTask(decode(GetTaskRequest, parseQuery('GetTask', query, { id })), call),
      ),
  },
  {
    method: 'POST',
    path: /^\/tasks\/([^/:]+):cancel$/,
    answer: async (handler, { body }, id, call) =>
      Task.toJSON(
        await handler.cancelTask(
          decode(CancelTaskRequest, { ...toObject(parseParams('CancelTask', body)), id }),
          call,
        ),
      ),
  },
  { method: 'GET', path: /^\/tasks\/([^/:]+):subscribe$/, answer: subscribe },
  { method: 'POST', path: /^\/tasks\/([^/:]+):subscribe$/, answer: subscribe },
  {
    method: 'POST',
    path: /^\/tasks\/([^/:]+)\/pushNotificationConfigs$/,
    async answer(handler, { body }, taskId, call) {
      const params = parseParams('CreateTaskPushNotificationConfig', { ...toObject(body), taskId });
      return TaskPushNotificationConfig.toJSON(
        await handler.createTaskPushNotificationConfig(
          decode(TaskPushNotificationConfig, params),
          call,
        ),
      );
    },
  },
  {
    method: 'GET',
    path: /^\/tasks\/([^/:]+)\/pushNotificationConfigs$/,
    async answer(handler, { query }, taskId, call) {
      const params = parseQuery('ListTaskPushNotificationConfigs', query, { taskId });
      return ListTaskPushNotificationConfigsResponse.toJSON(
        await handler.listTaskPushNotificationConfigs(
          decode(ListTaskPushNotificationConfigsRequest, params),
          call,
        ),
      );
    },
  },
  {
    method: 'GET',
    path: /^\/tasks\/([^/:]+)\/pushNotificationConfigs\/([^/]+)$/,
    answer: async (handler, _, taskId, call, id) =>
      TaskPushNotificationConfig.toJSON(
        await handler.getTaskPushNotificationConfig({ tenant: '', taskId, id }, call),
      ),
  },
  {
    method: 'DELETE',
    path: /^\/tasks\/([^/:]+)\/pushNotificationConfigs\/([^/]+)$/,
    async answer(handler, _, taskId, call, id) {
      await handler.deleteTaskPushNotificationConfig({ tenant: '', taskId, id }, call);
      return {};
    },
  },
  {
    method: 'GET',
    path: /^\/extendedAgentCard$/,
    answer: (handler, _, __, call) =>
      handler.getAuthenticatedExtendedAgentCard({ tenant: '' }, call),
  },
];

function formatAllowedMethods(path: string): string {
  const methods = new Set(
    routes
      .filter((route) => route.path.test(path))
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
  );
  return methods.size ? [...methods, 'OPTIONS'].join(', ') : '';
}

export function createRestBinding(
  handler: A2ARequestHandler,
  base: string,
): (request: RestRequest) => Promise<Response> {
  return async (request) => {
    const route = routes.find(
      ({ method, path }) => method === request.method && path.test(request.path),
    );
    if (!route) {
      const allow = formatAllowedMethods(request.path);
      return createRestProblemResponse(
        allow
          ? new Problem('method_not_allowed', `This URL accepts ${allow}.`, {
              headers: { allow },
            })
          : new Problem(
              'not_found',
              'There is nothing at this URL. /.well-known/agent-card.json lists the A2A bindings.',
            ),
        base,
      );
    }
    const abortController = new AbortController();
    const signal = AbortSignal.any([request.signal, abortController.signal]);
    const call = createAnonymousCall({ ...request, signal });
    try {
      const [, taskId = '', configId = ''] = route.path.exec(request.path)!;
      const value = await route.answer(handler, request, taskId, call, configId);
      if (isEventStream(value))
        return await createEventStreamResponse(
          value,
          () => {
            abortController.abort();
          },
          (thrown) => toRestErrorBody(thrown, restStatusFor(thrown)),
        );
      return Response.json(value, { headers: { 'content-type': A2A_CONTENT_TYPE } });
    } catch (thrown) {
      const { problem } = stateOf(call);
      if (problem) return createRestProblemResponse(problem, base);
      if (thrown instanceof A2AError) return createRestErrorResponse(thrown);
      throw thrown;
    }
  };
}
