import { A2A_CONTENT_TYPE, StreamResponse, Task, TaskPushNotificationConfig } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { eq } from 'drizzle-orm';
import { a2aPushConfigs, a2aTasks } from '../../db/schema-a2a.ts';
import { keys } from '../../db/schema-capabilities.ts';
import type { Channel } from '../leads/deliveries/channel.ts';
import { callbackSecretOf, type LeadEvent } from '../leads/deliveries/lead-event.ts';
import { type SignedPost, postSignedMessage } from '../leads/deliveries/webhook.ts';
import { rewindRequest } from '../leads/holds/log-with-hold.ts';
import { readLog } from '../leads/lead-log.ts';
import { createStatusUrl } from '../leads/status/receipt.ts';
import type { Context } from '../operation/context.ts';
import { isGone, ignoreErrorIf } from '../operation/problem.ts';
import { createLeadTask } from './lead-task.ts';

export type PushOptions = Pick<SignedPost, 'allowPrivate' | 'now' | 'timeoutMs'>;

const legacySerializer = new V03PushNotificationSerializer();

/** The body of a push notification: the status update in A2A 1.0, the whole task in A2A 0.3. */
function createNotification(task: Task, version: string, event: LeadEvent, { site }: Context) {
  const { id: taskId, contextId, status } = task;
  const { receiptToken } = event.person;
  const update: StreamResponse = {
    payload: {
      $case: 'statusUpdate',
      value: {
        taskId,
        contextId,
        status,
        metadata: {
          receiptToken,
          status: event.change?.to,
          at: event.at,
          statusUrl: createStatusUrl(site.base, receiptToken),
        },
      },
    },
  };
  return version === '0.3'
    ? legacySerializer.serialize(update, task)
    : { body: JSON.stringify(StreamResponse.toJSON(update)), contentType: A2A_CONTENT_TYPE };
}

/** The headers that a client wants on each notification (A2A 1.0, “Push notification payload”). */
const createNotificationHeaders = ({ token, authentication }: TaskPushNotificationConfig) => ({
  ...(token && { 'x-a2a-notification-token': token }),
  ...(authentication?.credentials && {
    authorization: `${authentication.scheme} ${authentication.credentials}`,
  }),
});

/**
 * The task at the time of an event; undefined if its lead was erased.
 * @throws {DatabaseUnavailableError}
 */
async function readTaskAt(storedTask: Task, { revision, at, person }: LeadEvent, context: Context) {
  const log = await readLog(person.receiptToken, context).catch(ignoreErrorIf(isGone));
  return (
    log &&
    createLeadTask(
      storedTask,
      rewindRequest(log, revision, context.site.registry),
      new Date(at),
      context,
    )
  );
}

/**
 * Posts a lead change to one configured client as A2A defines, with the client's token and
 * credentials, signed per Standard Webhooks with its key's secret. A client that responds with 410
 * gets no more notifications; neither does a client whose key was revoked or has expired.
 */
export const createPushSender =
  (options: PushOptions): Channel['send'] =>
  async (event, context, target) => {
    const { writer } = context.database;
    const isTarget = eq(a2aPushConfigs.id, target);
    const [row] = await writer
      .select({
        config: a2aPushConfigs.config,
        version: a2aPushConfigs.version,
        task: a2aTasks.task,
        key: keys,
      })
      .from(a2aPushConfigs)
      .innerJoin(a2aTasks, eq(a2aTasks.id, a2aPushConfigs.task))
      .innerJoin(keys, eq(keys.id, a2aPushConfigs.key))
      .where(isTarget);
    const secret = row && callbackSecretOf(row.key, context.now());
    if (!row || secret === undefined) return { outcome: 'outdated' };
    const task = await readTaskAt(Task.fromJSON(row.task), event, context);
    if (!task) return { outcome: 'erased' };
    const config = TaskPushNotificationConfig.fromJSON(row.config);
    const { body, contentType } = createNotification(task, row.version, event, context);
    const result = await postSignedMessage({
      ...options,
      url: config.url,
      secret,
      id: event.id,
      body,
      headers: { 'content-type': contentType, ...createNotificationHeaders(config) },
    });
    if (result.outcome === 'gone') await writer.delete(a2aPushConfigs).where(isTarget);
    return result;
  };
