import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/operation/operation.ts';
import { listOperations } from '../../src/http/operations.ts';
import { createKey } from '../../src/keys/keys.ts';
import { capabilitiesOf } from '../../src/site/capability-record.ts';
import { capture } from '../deliveries/setup/drain.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { isObject } from '../../src/site/json-object.ts';
import { client } from './setup/send.ts';

describe.each(sites)('writing operations of $name', async ({ site }) => {
  const fixture = await openFixture(site);
  const { json } = client(fixture);
  const { key } = await createKey(
    { name: 'Test agent', scopes: ['*'], expiresAt: null },
    fixture.context,
  );
  const freeCapability = capabilitiesOf(site.registry, site.base).find(
    ({ adapter }) => adapter === 'facts',
  )!;
  const authorization = { authorization: `Bearer ${key}` };
  const writingOperations: readonly Operation[] = listOperations(site).filter(
    ({ method }) => method === 'POST',
  );

  /** The first example body of an operation, outside the sandbox and with a free capability. */
  function bodyOf({ requiresKey: bearer, describe: about }: Operation): unknown {
    if (bearer) return { capability: freeCapability.id, input: {} };
    const example = Object.values(about(site).requestExamples ?? {})[0]?.value;
    if (!isObject(example)) return example;
    const { sandbox: _, ...stored } = example;
    return stored;
  }

  it.each(writingOperations.map((operation) => [operation.path, operation] as const))(
    'at %s declare Idempotency-Key if, and only if, they replay or reject repeats',
    async (path, operation) => {
      const params: Record<string, string> = path.includes('{id}')
        ? {
            id: (
              (await (
                await json(
                  '/api/v1/tasks',
                  { capability: freeCapability.id, input: {} },
                  { headers: authorization },
                )
              ).json()) as { taskId: string }
            ).taskId,
          }
        : path.includes('{receipt}')
          ? {
              receipt: await capture(fixture.context, site.registry.subsites[0]!.leadSource),
            }
          : {};
      const send = (headers: Record<string, string>, more?: object) =>
        json(path, more ? { ...(bodyOf(operation) as object), ...more } : bodyOf(operation), {
          headers: { ...headers, ...(operation.requiresKey && authorization) },
          params,
        });
      /** True if the second of two identical calls replays the first. */
      const isSecondReplayed = async (headers: Record<string, string>): Promise<boolean> => {
        const answers = [await send(headers), await send(headers)];
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
        return answers[1]!.headers.get('idempotent-replayed') === 'true';
      };
      const alwaysReplays = await isSecondReplayed({});
      const declaresKey = operation
        .describe(site)
        .parameters.some(
          (parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key',
        );
      const keyHeader = { 'idempotency-key': path.padEnd(16, '-') };
      const repeated = await isSecondReplayed(keyHeader);
      // If every call is replayed, only the rejection of other input shows that the key is read.
      expect(declaresKey).toBe(
        alwaysReplays
          ? (await send(keyHeader, { title: 'Another title' })).status === 422
          : repeated,
      );
    },
  );
});
