import { createHash, generateKeyPairSync } from 'node:crypto';
import { AgentCard, canonicalizeAgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { calculateJwkThumbprint } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listDocuments, signCard } from '../../src/artifacts/index.ts';
import type { PublicKey } from '../../src/site/developer/public-key.ts';
import type { Site } from '../../src/site/site.ts';
import { sites } from '../operations/setup/fixture.ts';

const CARD_PATH = '/.well-known/agent-card.json';
const JWKS_PATH = '/.well-known/jwks.json';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const { x } = publicKey.export({ format: 'jwk' }) as { x: string };
const kid = createHash('sha256')
  .update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)
  .digest('base64url');
const cardKey: PublicKey = { kty: 'OKP', crv: 'Ed25519', x, kid };

const textAt = (site: Site, path: string) =>
  listDocuments(site).find((document) => document.path === path)?.body;

/** Fields marked REQUIRED in specification/a2a.proto, by message. */
const REQUIRED_FIELDS: Record<string, readonly string[]> = {
  AgentCard: [
    'name',
    'description',
    'supportedInterfaces',
    'version',
    'capabilities',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
  ],
  AgentInterface: ['url', 'protocolBinding', 'protocolVersion'],
  AgentProvider: ['url', 'organization'],
  AgentSkill: ['id', 'name', 'description', 'tags'],
  AgentCardSignature: ['protected', 'signature'],
};

/** Required fields missing from a message. In proto3 an empty value counts as missing. */
const findMissingFields = (kind: string, value: any) =>
  REQUIRED_FIELDS[kind]!.filter((field) => value[field] === undefined || value[field].length === 0);

describe.each(sites)('the agent card of $name', ({ site }) => {
  const signedSite = { ...site, cardKey };
  let card: any;

  /** Verifies the card as agents do, with the published key that the signature names. */
  const verify = verifyAgentCardSignature(async (keyId, jku) => {
    expect(jku).toBe(`${site.base}${JWKS_PATH}`);
    return JSON.parse(textAt(signedSite, JWKS_PATH)!).keys.find(
      (key: { kid: string }) => key.kid === keyId,
    );
  });
  beforeAll(
    async () =>
      void (card = JSON.parse(await signCard(textAt(signedSite, CARD_PATH)!, pem, signedSite))),
  );

  it('has every required field of A2A 1.0', () => {
    expect(findMissingFields('AgentCard', card)).toEqual([]);
    expect(findMissingFields('AgentProvider', card.provider)).toEqual([]);
    for (const each of card.supportedInterfaces)
      expect(findMissingFields('AgentInterface', each)).toEqual([]);
    for (const each of card.skills) expect(findMissingFields('AgentSkill', each)).toEqual([]);
    for (const each of card.signatures)
      expect(findMissingFields('AgentCardSignature', each)).toEqual([]);
  });

  it('says which key push notifications need', () => {
    expect(JSON.stringify(card.capabilities)).toContain(
      'Push notifications need a bearer key with the callbacks scope',
    );
  });

  it('keeps every field when the SDK parses it', () => {
    const { signatures: _, ...unsignedCard } = card;
    // Canonical JSON omits protobuf defaults.
    const cardWithoutDefaults = JSON.parse(JSON.stringify(unsignedCard), (name, value) =>
      name === 'required' && value === false ? undefined : value,
    );
    expect(JSON.parse(canonicalizeAgentCard(AgentCard.fromJSON(card)))).toEqual(
      cardWithoutDefaults,
    );
  });

  it('carries a signature that the SDK verifies with the published key', async () => {
    await expect(verify(AgentCard.fromJSON(card))).resolves.toBeUndefined();
    expect(await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x })).toBe(kid);
  });

  describe('the signature', () => {
    // The SDK logs each rejected signature.
    beforeEach(() => void vi.spyOn(console, 'debug').mockReturnValue());
    afterEach(() => void vi.restoreAllMocks());

    it.each(['name', 'description', 'version', 'documentationUrl'])(
      'is rejected after a change to %s',
      async (member) => {
        await expect(
          verify(AgentCard.fromJSON({ ...card, [member]: `${card[member]}x` })),
        ).rejects.toThrow();
      },
    );

    it('is rejected after an interface is changed or a skill is removed', async () => {
      await expect(
        verify(
          AgentCard.fromJSON({
            ...card,
            supportedInterfaces: [
              { ...card.supportedInterfaces[0], url: 'https://elsewhere.example/a2a' },
            ],
          }),
        ),
      ).rejects.toThrow();
      await expect(
        verify(AgentCard.fromJSON({ ...card, skills: card.skills.slice(1) })),
      ).rejects.toThrow();
    });
  });

  it('has the same signature each time, stays under 10 KB, and does not reveal the private key', async () => {
    const secondCard = await signCard(textAt(signedSite, CARD_PATH)!, pem, signedSite);
    expect(JSON.parse(secondCard)).toEqual(card);
    expect(Buffer.byteLength(secondCard)).toBeLessThan(10_000);
    const secret = privateKey.export({ format: 'jwk' }).d!;
    for (const { body } of listDocuments(signedSite)) expect(body).not.toContain(secret);
  });

  it('has no signature without a configured key, and the key set is empty', () => {
    expect(JSON.parse(textAt(site, CARD_PATH)!)).not.toHaveProperty('signatures');
    expect(JSON.parse(textAt(site, JWKS_PATH)!).keys).toEqual([]);
  });

  it('has a note in its key set if receipts are unsigned, even if the card is signed', () => {
    const readKeySetNote = (publishedSite: Site) =>
      JSON.parse(textAt(publishedSite, JWKS_PATH)!).note;
    for (const unsignedCard of [site, signedSite])
      expect(readKeySetNote(unsignedCard)).toMatch(
        /^This service does not sign receipts and statuses\./,
      );
    expect(readKeySetNote({ ...site, receiptKey: cardKey })).toBeUndefined();
    expect(readKeySetNote({ ...site, dynamic: false })).toBeUndefined();
  });
});
