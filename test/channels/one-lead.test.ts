import { dirname } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createDatabaseClient } from '../../src/cli/database-client.ts';
import {
  runConversation,
  type Intent,
  makeIntent,
  checkChannels,
} from '../../src/cli/channel-check/index.ts';
import { createKey } from '../../src/keys/keys.ts';
import { runCommand } from '../setup/command.ts';
import { serveWithDatabase } from './setup/serve-with-database.ts';

describe.each(['mainBuild', 'fourBuild'] as const)(
  'one request through every channel of %s',
  (network) => {
    let served: Awaited<ReturnType<typeof serveWithDatabase>>;
    let running: Awaited<ReturnType<typeof served.start>>;
    let key: string;

    beforeAll(async () => {
      served = await serveWithDatabase(inject(network));
      running = await served.start();
      ({ key } = await createKey(
        { name: 'Channels', scopes: ['*'], expiresAt: null },
        running.context,
      ));
    });
    afterAll(async () => {
      await running.stop();
      served.remove();
    });

    const readLeadTokens = async ({ contact }: Intent) =>
      (
        await running.database.writer.all<{ token: string }>(
          sql`select token from leads where contact_email = ${contact.email}`,
        )
      ).map(({ token }) => token);

    it('creates exactly one lead for concurrent and sequential requests, despite dropped connections', async () => {
      for (let round = 0; round < 3; round++) {
        const intent = await makeIntent(running.origin);
        const report = await checkChannels(running.origin, intent, { times: 4, key });
        expect(
          report.channels
            .map(({ channel, cut, receipts, refused }) => [channel, cut, receipts, refused])
            .sort(),
        ).toEqual(['a2a', 'form', 'json', 'mcp', 'task'].map((channel) => [channel, 4, 5, {}]));
        expect([report.one, report.receipts]).toEqual([true, await readLeadTokens(intent)]);
      }
    });

    it('creates two leads if there are two requests', async () => {
      const [firstIntent, secondIntent] = [
        await makeIntent(running.origin),
        await makeIntent(running.origin),
      ];
      const reports = await Promise.all(
        [firstIntent, secondIntent].map((intent) =>
          checkChannels(running.origin, intent, { times: 2, key }),
        ),
      );
      expect(new Set(reports.flatMap(({ receipts }) => receipts)).size).toBe(2);
    });

    /** JSON output of the command with the service’s database. */
    async function command(...options: string[]): Promise<any> {
      const { code, stdout, stderr } = await runCommand(
        'channels',
        [running.origin, '--quiet', '--json', '--key', key, ...options],
        // Without a registry folder, the command reads the records of the release.
        {
          DATABASE_URL: served.url,
          OUT_DIR: dirname(inject(network)),
          REGISTRY_DIR: 'none',
        },
      );
      expect([stderr, code], stdout).toEqual(['', 0]);
      return JSON.parse(stdout);
    }

    it('is reported as one lead by the command, which also counts the rows', async () => {
      const report = await command('--times', '2', '--count');
      expect(report).toMatchObject({ one: true, rows: 1, readable: 1 });
      expect(report).not.toHaveProperty('conversation');
    });

    it('creates one thread from the question to the confirmation when each message goes through every channel', async () => {
      const { one, rows, conversation } = await command('--times', '2', '--conversation');
      expect([one, rows]).toEqual([true, 1]);
      expect(conversation).toMatchObject({
        one: true,
        entries: 6,
        states: ['new', 'needs_info', 'acknowledged', 'quoted', 'accepted', 'confirmed'],
      });
      expect(conversation.thread).toHaveLength(4);
      for (const { step, channels, unseen } of conversation.steps) {
        expect([step, unseen]).toEqual([step, []]);
        if (step === 'reply' || step === 'acceptance')
          expect(
            channels
              .map(({ channel, cut, receipts, refused }: any) => [channel, cut, receipts, refused])
              .sort(),
          ).toEqual(['a2a', 'form', 'json', 'mcp'].map((channel) => [channel, 2, 3, {}]));
      }
    });

    it('creates no complete thread if a step is missing, and reports the missing step for each channel', async () => {
      const intent = await makeIntent(running.origin);
      const { receipts } = await checkChannels(running.origin, intent, { times: 1 });
      const side = { ...createDatabaseClient(running.context), confirm: async () => undefined };
      const report = await runConversation(running.origin, intent, receipts[0]!, side, 1);
      expect([report.one, report.entries]).toEqual([false, 5]);
      expect(report.steps.at(-1)!.unseen.sort()).toEqual(['a2a', 'form', 'json', 'mcp']);
    });
  },
);
