import { randomBytes } from 'node:crypto';
import { exampleValuesOf, type Fields, kindOf } from '../../fields/fields.ts';
import { sendRequest } from '../probe/send-request.ts';

/** A request to send through every channel. */
export interface Intent {
  subsite: string;
  action: string;
  fields: Record<string, string | number>;
  contact: { name: string; email: string };
  /** Whether the request can also be submitted as a task. */
  isCapability: boolean;
  idempotencyKey: string;
}

/** Thrown when the check cannot start or continue; the message is for the user. */
export class ChannelCheckError extends Error {}

/** Thrown when the check needs different command-line arguments. */
export class ChannelUsageError extends ChannelCheckError {}

interface IndexSubsite {
  name: string;
  actions: { verb: string; fields: Fields }[];
}

async function read<T>(base: string, path: string): Promise<T> {
  const answer = await sendRequest(base, path).catch(() => {
    throw new ChannelCheckError(`${base} does not respond. Start the service, or check the URL.`);
  });
  if (answer.status !== 200)
    throw new ChannelCheckError(
      `${base}${path} responds with ${answer.status} instead of the document. Check that the URL is the address of a network.`,
    );
  return JSON.parse(answer.body.toString()) as T;
}

/** Whether an action has no dates. An action with dates may hold an item that is unavailable. */
const hasNoDates = (fields: Fields) =>
  Object.values(fields).every(
    (field) => !kindOf(field).isDay && (!field.required || field.example !== undefined),
  );

/**
 * Creates an intent from the published examples: for the action `<subsite>.<verb>`, or for the
 * first action that is also a capability and needs no dates.
 * @throws {ChannelCheckError}
 */
export async function makeIntent(base: string, actionName?: string): Promise<Intent> {
  const { subsites } = await read<{ subsites: IndexSubsite[] }>(base, '/api/agent-index');
  const { capabilities } = await read<{ capabilities: { id: string; adapter: string }[] }>(
    base,
    '/api/v1/capabilities',
  );
  const inquiryIds = new Set(
    capabilities.filter(({ adapter }) => adapter === 'inquiry').map(({ id }) => id),
  );
  const actions = subsites.flatMap((subsite) =>
    subsite.actions.map(({ verb, fields }) => ({
      id: `${subsite.name}.${verb}`,
      subsite: subsite.name,
      verb,
      fields,
    })),
  );
  const chosenAction =
    actionName === undefined
      ? actions.find(({ id, fields }) => inquiryIds.has(id) && hasNoDates(fields))
      : actions.find(({ id }) => id === actionName);
  if (!chosenAction)
    throw new ChannelUsageError(
      actionName === undefined
        ? 'This network has no capability that submits a request without dates. Choose an action with --action <subsite>.<verb>.'
        : 'There is no such action. Use --action <subsite>.<verb> with an action from /api/agent-index.',
    );
  const suffix = randomBytes(8).toString('hex');
  return {
    subsite: chosenAction.subsite,
    action: chosenAction.verb,
    fields: exampleValuesOf(chosenAction.fields),
    contact: { name: `Channel check ${suffix}`, email: `channels-${suffix}@example.com` },
    isCapability: inquiryIds.has(chosenAction.id),
    idempotencyKey: `channels-${suffix}`,
  };
}
