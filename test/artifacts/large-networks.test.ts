import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listDocuments } from '../../src/artifacts/index.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { generateRegistry } from '../bench/setup/generated-registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-large-'));

/** Document sizes in a generated network, by path. */
function measureSizes(count: number): Map<string, number> {
  generateRegistry(join(folder, String(count)), count);
  const registry = loadRegistry(join(folder, String(count)));
  return new Map(
    listDocuments({
      registry,
      base: 'https://network.example',
      generatedAt: '2026-11-06T20:40:00.000Z',
      dynamic: true,
    }).map(({ path, body }) => [path, Buffer.byteLength(body)]),
  );
}

describe('the documents of a large network', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const sizesOf300 = measureSizes(300);
  const sizesOf600 = measureSizes(600);

  it('grow no faster than the network', () => {
    const disproportionatePaths = [...sizesOf300]
      .filter(([path, size]) => sizesOf600.get(path)! > 2.1 * size)
      .map(([path]) => path);
    expect(disproportionatePaths).toEqual([]);
    expect(sizesOf600.size).toBeGreaterThan(1.9 * sizesOf300.size);
    expect(sizesOf600.size).toBeLessThan(2.1 * sizesOf300.size);
  });

  it.each([
    '/api/openapi.json',
    '/llms.txt',
    '/.well-known/agent-card.json',
    '/api/agent/plumbing-0',
  ])('include a %s of constant size', (path) => {
    expect(sizesOf300.get(path)).toBeGreaterThan(0);
    expect(sizesOf600.get(path)! / sizesOf300.get(path)!).toBeLessThan(1.05);
  });
});
