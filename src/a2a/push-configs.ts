import { createHash } from 'node:crypto';
import {
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import {
  RequestMalformedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { a2aPushConfigs, a2aTasks } from '../../db/schema-a2a.ts';
import type { Context } from '../operation/context.ts';
import { isRefusedTarget, PUBLIC_URL_RULE } from '../leads/submit/callback.ts';
import { insertWhere } from '../operation/statements.ts';
import type { A2aVersion } from './binding.ts';
import { rewordError } from './faults.ts';

/** Maximum number of configurations for a task, across all keys. */
const MAX_CONFIGS = 10;

/** A task and the owner of its configurations. */
export interface PushConfigOwner {
  taskId: string;
  /** ID of the key; a key sees only its own configurations. */
  key: string;
}

const digest = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

const rowIdOf = ({ taskId, key }: PushConfigOwner, id: string): string => digest(taskId, key, id);

const isOwned = ({ taskId, key }: PushConfigOwner) =>
  and(eq(a2aPushConfigs.task, taskId), eq(a2aPushConfigs.key, key));

/**
 * Creates an ID for a configuration without one; a retry gets the same ID, so it creates no
 * duplicate.
 */
const deriveConfigId = ({ url, token, authentication }: TaskPushNotificationConfig): string =>
  digest(url, token, authentication?.scheme ?? '', authentication?.credentials ?? '').slice(0, 22);

/** @throws {RequestMalformedError} for a URL that must not be called */
export function requirePublicTarget({ url }: TaskPushNotificationConfig, context: Context): void {
  if (isRefusedTarget(url, context)) throw new RequestMalformedError(`url: ${PUBLIC_URL_RULE}`);
}

/**
 * Sets a configuration for a task, replacing any configuration with the same key and ID.
 * @throws {RequestMalformedError} for a URL that must not be called
 * @throws {UnsupportedOperationError} when the task has the maximum number of configurations
 * @throws {TaskNotFoundError} when the task was removed in the meantime
 * @throws {DatabaseUnavailableError}
 */
export async function setPushConfig(
  requestedConfig: TaskPushNotificationConfig,
  { taskId, key }: PushConfigOwner,
  version: A2aVersion,
  context: Context,
): Promise<TaskPushNotificationConfig> {
  requirePublicTarget(requestedConfig, context);
  const {
    database: { writer },
    now,
  } = context;
  const config = {
    ...requestedConfig,
    tenant: '',
    id: requestedConfig.id || deriveConfigId(requestedConfig),
    taskId,
  };
  const id = rowIdOf({ taskId, key }, config.id);
  const row = {
    id,
    task: taskId,
    key,
    config: TaskPushNotificationConfig.toJSON(config),
    version,
    createdAt: now().toISOString(),
  };
  const taskExistsCondition = sql`exists (select 1 from ${a2aTasks} where ${eq(a2aTasks.id, taskId)})`;
  const otherConfigCount = sql`(select count(*) from ${a2aPushConfigs} where ${and(eq(a2aPushConfigs.task, taskId), ne(a2aPushConfigs.id, id))})`;
  const hasCapacity = sql`${taskExistsCondition} and ${otherConfigCount} < ${MAX_CONFIGS}`;
  const [, { rowsAffected }] = await writer.batch([
    writer.delete(a2aPushConfigs).where(and(eq(a2aPushConfigs.id, id), hasCapacity)),
    writer.run(insertWhere(a2aPushConfigs, row, hasCapacity)),
  ]);
  if (rowsAffected) return config;
  const [task] = await writer
    .select({ id: a2aTasks.id })
    .from(a2aTasks)
    .where(eq(a2aTasks.id, taskId));
  if (!task) throw rewordError(new TaskNotFoundError());
  throw new UnsupportedOperationError(
    `This task already has ${MAX_CONFIGS} push notification configurations, the maximum. Delete one, or replace one by its ID.`,
  );
}

/** @throws {TaskNotFoundError} if the key has no such configuration */
export async function getPushConfig(
  { id }: GetTaskPushNotificationConfigRequest,
  owner: PushConfigOwner,
  { database: { writer } }: Context,
): Promise<TaskPushNotificationConfig> {
  const [row] = await writer
    .select({ config: a2aPushConfigs.config })
    .from(a2aPushConfigs)
    .where(eq(a2aPushConfigs.id, rowIdOf(owner, id)));
  if (row) return TaskPushNotificationConfig.fromJSON(row.config);
  throw new TaskNotFoundError(
    'Your key has no push notification configuration with this ID on this task. ListTaskPushNotificationConfigs lists your configurations.',
  );
}

/**
 * The key's configurations, oldest first. @throws {RequestMalformedError} for an unknown page token
 * @throws {DatabaseUnavailableError}
 */
export async function listPushConfigs(
  { pageSize, pageToken }: ListTaskPushNotificationConfigsRequest,
  owner: PushConfigOwner,
  { database: { writer } }: Context,
): Promise<ListTaskPushNotificationConfigsResponse> {
  const rows = await writer
    .select({ id: a2aPushConfigs.id, config: a2aPushConfigs.config })
    .from(a2aPushConfigs)
    .where(isOwned(owner))
    .orderBy(asc(a2aPushConfigs.createdAt), asc(a2aPushConfigs.id));
  const start = pageToken ? rows.findIndex(({ id }) => id === pageToken) : 0;
  if (start < 0)
    throw new RequestMalformedError(
      'pageToken: Send the nextPageToken of the last response, or leave it out.',
    );
  const end = start + (pageSize || MAX_CONFIGS);
  return {
    configs: rows
      .slice(start, end)
      .map(({ config }) => TaskPushNotificationConfig.fromJSON(config)),
    nextPageToken: rows[end]?.id ?? '',
  };
}

/** Removes a configuration, if it exists. @throws {DatabaseUnavailableError} */
export async function deletePushConfig(
  { id }: DeleteTaskPushNotificationConfigRequest,
  owner: PushConfigOwner,
  { database: { writer } }: Context,
): Promise<void> {
  await writer.delete(a2aPushConfigs).where(eq(a2aPushConfigs.id, rowIdOf(owner, id)));
}
