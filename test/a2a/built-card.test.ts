import { generateKeyPairSync } from 'node:crypto';
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Placement } from '../../src/artifacts/index.ts';
import { discardSite } from '../../src/build-site.ts';

const PEM_OPTIONS = { type: 'pkcs8', format: 'pem' } as const;

// As in a build, the page module reads this variable when it is imported.
discardSite();
vi.stubEnv(
  'AGENT_CARD_KEY',
  generateKeyPairSync('ed25519').privateKey.export(PEM_OPTIONS).toString(),
);
vi.stubEnv('REGISTRY_DIR', 'test/fixtures/network-of-four');
afterAll(() => {
  vi.unstubAllEnvs();
  discardSite();
});

/** The page that prerenders documents. */
const page = (await import('../../src/pages/[...artifact].ts')) as unknown as {
  getStaticPaths(): { params: { artifact: string }; props: { placement: Placement } }[];
  GET(context: { props: { placement: Placement } }): Promise<Response>;
};

describe('a build with a key for the agent card', () => {
  const renderedDocuments = new Map<string, { text: string; signed: boolean }>();
  beforeAll(async () => {
    for (const { params, props } of page.getStaticPaths())
      renderedDocuments.set(`/${params.artifact}`, {
        text: await (await page.GET({ props })).text(),
        signed: props.placement.artifact.signed === true,
      });
  });

  it('signs the card with the key that it publishes', async () => {
    const card = AgentCard.fromJSON(
      JSON.parse(renderedDocuments.get('/.well-known/agent-card.json')!.text),
    );
    expect(card.signatures).toHaveLength(1);
    const keys = JSON.parse(renderedDocuments.get('/.well-known/jwks.json')!.text).keys as {
      kid: string;
    }[];
    await expect(
      verifyAgentCardSignature(async (kid) => keys.find((key) => key.kid === kid) as never)(card),
    ).resolves.toBeUndefined();
  });

  it('signs only the content that the signature must cover', () => {
    const hasSignature = (text: string) =>
      text.startsWith('{') && 'signatures' in (JSON.parse(text) as object);
    expect(
      [...renderedDocuments].filter(([, { text }]) => hasSignature(text)).map(([path]) => path),
    ).toEqual([...renderedDocuments].filter(([, { signed }]) => signed).map(([path]) => path));
    expect([...renderedDocuments.values()].some(({ signed }) => signed)).toBe(true);
  });
});
