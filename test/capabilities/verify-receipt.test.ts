import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyReceiptInput } from '../../src/cli/verify-receipt.ts';
import { createKey, KeyError } from '../../src/keys/keys.ts';
import { publicKeyOf } from '../../src/site/developer/public-key.ts';
import {
  publicPemOf,
  listReceiptKeyNotices,
  createDocumentSigner,
} from '../../src/capabilities/receipt-signature.ts';
import { createReceipt } from '../../src/capabilities/end-task.ts';
import { runCommand } from '../setup/command.ts';
import { signingKey } from './priced-fixture.ts';
import { makeFixture, site } from './fixture.ts';

const result = { url: 'https://videos.example/v/1.mp4', durationSeconds: 12.5 };

it('a missing file is named before a missing key', async () => {
  await expect(verifyReceiptInput('nosuch.json', undefined)).rejects.toThrow(
    'nosuch.json: There is no such file or folder. Check the path.',
  );
});

it('a folder is not said to be missing', async () => {
  await expect(verifyReceiptInput(tmpdir(), undefined)).rejects.toThrow(
    `${tmpdir()}: The path is a folder. Choose a file in that folder.`,
  );
});

describe('offline receipt verification', () => {
  let folder: string;
  let task: Record<string, any>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'frontage-receipt-'));
    const completedTask = {
      id: 'T1',
      capability: 'animate.create_video',
      inputDigest: 'a'.repeat(64),
      quote: 'Q1',
      amount: 240,
      currency: 'USD',
    };
    const receipt = await createReceipt(completedTask, result, '2026-11-21T09:00:00.000Z', {
      site,
      ...(await createDocumentSigner(signingKey)),
    });
    task = {
      taskId: 'T1',
      capability: completedTask.capability,
      status: 'completed',
      statusUrl: `${site.base}/api/v1/tasks/T1`,
      createdAt: '2026-11-21T08:00:00.000Z',
      updatedAt: '2026-11-21T09:00:00.000Z',
      result,
      charge: { amount: '2.40', currency: 'USD' },
      receipt,
    };
    file('key.pub', publicPemOf(signingKey));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name: string, content: unknown) => {
    writeFileSync(
      join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
    return join(folder, name);
  };
  const check = (fileName: string, key = join(folder, 'key.pub')) =>
    verifyReceiptInput(fileName, key);
  const refusal = (fileName: string, key?: string) =>
    check(fileName, key).then(
      () => 'valid',
      (error: Error) => (expect(error).toBeInstanceOf(KeyError), error.message),
    );

  it('accepts a JWS, a receipt, or a task, even without the deleted result, from a file with any name', async () => {
    const { result: _, ...taskWithoutResult } = task;
    const inputs = [
      task['receipt'].jws,
      file('jws.txt', `${task['receipt'].jws}\n`),
      file('receipt.2026-11.json', task['receipt']),
      file('a.b.c', task),
      file('later.json', taskWithoutResult),
    ];
    for (const each of inputs)
      expect(await check(each), each).toMatchObject({ taskId: 'T1', amount: '2.40' });
    expect(await verifyReceiptInput(inputs[0]!, { privatePem: signingKey })).toMatchObject({
      taskId: 'T1',
    });
  });

  it('lists every changed value outside the signature', async () => {
    const { jws, ...claims } = task['receipt'];
    for (const [name, value] of Object.entries(claims)) {
      expect(
        await refusal(file('changed.json', { ...task['receipt'], [name]: `${String(value)}0` })),
        name,
      ).toContain(`changed: ${name}.`);
      expect(
        await refusal(
          file('changed.json', {
            ...task,
            receipt: { ...claims, jws, [name]: `${String(value)}0` },
          }),
        ),
        name,
      ).toContain(`receipt.${name}`);
    }
    expect(await refusal(file('changed.json', { ...task['receipt'], bonus: 1 }))).toContain(
      'changed: bonus.',
    );
    for (const [name, value] of Object.entries({
      taskId: 'T2',
      capability: 'other.one',
      status: 'failed',
      result: { ...result, durationSeconds: 13 },
      charge: { amount: '0.00', currency: 'USD' },
    }))
      expect(await refusal(file('changed.json', { ...task, [name]: value })), name).toContain(
        `changed: ${name}.`,
      );
  });

  it('has a separate message for each error', async () => {
    const other = file(
      'other.pub',
      generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    );
    const { jws: _, ...unsignedReceipt } = task['receipt'];
    const validFile = file('task.json', task);
    const messages = await Promise.all([
      refusal(validFile, other),
      refusal(validFile, file('private.pem', signingKey)),
      refusal(validFile, file('key.json', '{"kty":"OKP"}')),
      refusal(validFile, join(folder, 'nowhere.pub')),
      refusal(join(folder, 'nowhere.json')),
      refusal(file('broken.json', '{"taskId": ')),
      refusal(file('list.json', '[]')),
      refusal(file('unsigned.json', { ...task, receipt: unsignedReceipt })),
      verifyReceiptInput(validFile, undefined).catch((error: Error) => error.message),
    ]);
    expect(new Set(messages).size).toBe(messages.length);
    for (const message of messages)
      expect(message).not.toMatch(
        /valid$|ENOENT|JSON at position|Unexpected|asn1|openssl:|undefined/i,
      );
    expect([messages[0], messages[1], messages[4], messages[5]]).toEqual([
      expect.stringContaining('another key'),
      expect.stringContaining('private key'),
      expect.stringContaining('nowhere.json: There is no such file'),
      expect.stringContaining('neither a JWS nor JSON'),
    ]);
  });
});

describe('npm run keys', () => {
  it.each(['2027-02-30', '2027-13-01', '2027-02-29T10:00:00Z', '2027-6-1', 'soon'])(
    'rejects %s as a date',
    async (day) => {
      const { code, stderr } = await runCommand('keys', [
        ...['create', 'Agent', '--scope', '*', '--expires', day],
      ]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('a date such as')]);
    },
  );

  it('rejects a key name with more than one line', async () => {
    const fixture = await makeFixture();
    for (const name of ['two\nlines', 'red \u001b[31m', 'bell\u0007', 'turn\u202e round'])
      await expect(
        createKey({ name, scopes: ['*'], expiresAt: null }, fixture.context),
      ).rejects.toThrow(KeyError);
    await fixture.close();
  });

  it('warns at startup if the build publishes a different key, so that no receipt can be verified', () => {
    const receiptKey = publicKeyOf(signingKey);
    expect(listReceiptKeyNotices(signingKey, { receiptKey })).toEqual([]);
    expect(listReceiptKeyNotices(undefined, {})).toEqual([]);
    expect(listReceiptKeyNotices(signingKey, {})).toEqual([
      expect.stringContaining('Build again with RECEIPT_SIGNING_KEY'),
    ]);
    expect(listReceiptKeyNotices(undefined, { receiptKey })).toEqual([
      expect.stringContaining('set RECEIPT_SIGNING_KEY'),
    ]);
  });
});
