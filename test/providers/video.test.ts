import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectJobProvider } from '../../src/capabilities/adapters/job-provider.ts';
import { advanceTasks } from '../../src/capabilities/advance-tasks.ts';
import { readTask } from '../../src/capabilities/read-task.ts';
import { requestQuote } from '../../src/capabilities/request-quote.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { handleJobReport } from '../../src/http/job-report.ts';
import { makeKey, makeFixture, performOperation, site } from '../capabilities/fixture.ts';
import { listen } from '../mcp/setup/listen.ts';
import { findProgram } from '../setup/programs.ts';
import { SECRET } from './http-provider.ts';
import { startReferenceProvider } from './reference-video-provider.ts';
import { measurePeakVolume, probe } from './render-clip.ts';

const video = site.registry.capabilities.find(({ adapter }) => adapter === 'video')!;

describe.runIf(findProgram('ffmpeg') && findProgram('espeak-ng'))('a narrated video', () => {
  it.each(['16:9', '9:16'] as const)(
    'is quoted, rendered, reported by callback, and charged, with %s images and a voice',
    async (aspect) => {
      const provider = await startReferenceProvider(SECRET);
      // The URL at which the provider reaches the service.
      const channel = await listen(async (request) =>
        handleJobReport({
          context: fixture.context,
          checkRateLimit: async () => ({ headers: {} }),
        })({
          request,
          params: { id: new URL(request.url).pathname.split('/').at(-2)! },
          address: '192.0.2.7',
        }),
      );
      const connectedProvider = connectJobProvider({
        url: provider.url,
        secret: SECRET,
        allowPrivate: true,
        now: () => new Date(),
      });
      const fixture = await makeFixture({
        site: { ...site, base: channel.origin },
        jobProviders: { video: connectedProvider },
      });
      try {
        const key = await makeKey(fixture, [video.id], '20.00');
        const input = {
          script:
            'Before a storm, a neighborhood has a few quiet hours.\n\nFirst, everyone checks the drains.',
          title: 'Quiet',
          features: { motionMode: 'draft', aspect },
        };
        const { output: quote } = await performOperation(
          requestQuote,
          { capability: video.id, input },
          key,
          fixture,
        );
        const { output: task } = await performOperation(
          runCapability,
          { capability: video.id, input, quoteId: quote.quoteId },
          key,
          fixture,
        );
        await advanceTasks('worker', fixture.context);
        await provider.idle();
        expect(provider.callbacks).toEqual([204]);

        const { output: completedTask } = await performOperation(
          readTask,
          { id: task.taskId },
          key,
          fixture,
        );
        expect(completedTask).toMatchObject({
          status: 'completed',
          charge: { amount: quote.amount },
          receipt: { quoteId: quote.quoteId },
        });
        const result = completedTask.result as {
          url: string;
          sha256: string;
          durationSeconds: number;
          width: number;
          height: number;
        };
        const bytes = Buffer.from(await (await fetch(result.url)).arrayBuffer());
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(result.sha256);
        const file = join(provider.folder, 'fetched.mp4');
        writeFileSync(file, bytes);
        const { codecs, width, height, durationSeconds } = await probe(file);
        expect(codecs).toEqual({ video: 'h264', audio: 'aac' });
        expect(width > height).toBe(aspect === '16:9');
        // The narration lasts several seconds and is audible.
        expect(durationSeconds).toBeGreaterThan(2);
        expect(durationSeconds).toBeCloseTo(result.durationSeconds, 1);
        expect(await measurePeakVolume(file)).toBeGreaterThan(-30);
      } finally {
        await provider.close();
        await channel.stop();
        await fixture.close();
      }
    },
  );
});
