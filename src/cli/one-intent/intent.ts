import { randomBytes } from 'node:crypto';
import { exampleValues, type Fields, kindOf } from '../../fields/fields.ts';
import { ask } from '../probe/ask.ts';

/** The request that is sent through every channel. */
export interface Intent {
  subsite: string;
  action: string;
  fields: Record<string, string | number>;
  contact: { name: string; email: string };
  /** Whether it can be filed as a task too. */
  isCapability: boolean;
  /** The idempotency key of the intent. */
  idempotencyKey: string;
}

/** Why the check cannot start, in one sentence for the user. */
export class ChannelsError extends Error {}

interface IndexSubsite {
  name: string;
  status: string;
  actions: { verb: string; fields: Fields }[];
}

async function read<T>(base: string, path: string): Promise<T> {
  const answer = await ask(base, path).catch(() => {
    throw new ChannelsError(`${base} does not answer. Start the service, or check the address.`);
  });
  if (answer.status !== 200)
    throw new ChannelsError(
      `${base}${path} answers ${answer.status} in place of the document. Check that the address is that of a network.`,
    );
  return JSON.parse(answer.body.toString()) as T;
}

/** An action with dates holds an item, and may be refused because of them. */
const isSimple = (fields: Fields) =>
  Object.values(fields).every(
    (field) => !kindOf(field).isDay && (!field.required || field.example !== undefined),
  );

/**
 * An intent from the network's published examples: for the action `<subsite>.<verb>`, or the first
 * one that is also a capability and needs no dates.
 * @throws {ChannelsError}
 */
export async function makeIntent(base: string, wanted?: string): Promise<Intent> {
  const { subsites } = await read<{ subsites: IndexSubsite[] }>(base, '/api/agent-index');
  const { capabilities } = await read<{ capabilities: { id: string; adapter: string }[] }>(
    base,
    '/api/v1/capabilities',
  );
  const intake = new Set(
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
  const chosen =
    wanted === undefined
      ? actions.find(({ id, fields }) => intake.has(id) && isSimple(fields))
      : actions.find(({ id }) => id === wanted);
  if (!chosen)
    throw new ChannelsError(
      wanted === undefined
        ? 'No capability of this network files an action without dates. Name an action with --action <subsite>.<verb>.'
        : 'There is no such action. Write --action <subsite>.<verb>, as /api/agent-index lists them.',
    );
  const mark = randomBytes(8).toString('hex');
  return {
    subsite: chosen.subsite,
    action: chosen.verb,
    fields: exampleValues(chosen.fields),
    contact: { name: `Channel check ${mark}`, email: `channels-${mark}@example.com` },
    isCapability: intake.has(chosen.id),
    idempotencyKey: `channels-${mark}`,
  };
}
