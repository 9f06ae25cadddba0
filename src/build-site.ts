import { createHash, createPublicKey } from 'node:crypto';
import { loadRegistry, type PublicKey, type Site } from './registry/index.ts';
import { serviceRules } from './service-rules.ts';
import { readBuildSettings } from './settings.ts';

/** The pages and the integrations of one build are loaded apart, and must agree on the time. */
const BUILT = Symbol.for('frontage.build-site');

const shared = globalThis as { [BUILT]?: Site };

/** The public half of an Ed25519 private key in PEM. */
function publicKeyOf(privatePem: string): PublicKey {
  const { x } = createPublicKey(privatePem).export({ format: 'jwk' }) as { x: string };
  const key = { crv: 'Ed25519', kty: 'OKP', x } as const;
  // The members that RFC 7638 takes, in the order in which it takes them.
  return { ...key, kid: createHash('sha256').update(JSON.stringify(key)).digest('base64url') };
}

/** The site that is being built: the registry folder and the settings of the build, read once. */
export function buildSite(): Site {
  if (!shared[BUILT]) {
    const { registryDir, siteUrl, dynamic, buildTime, agentCardKey } = readBuildSettings();
    shared[BUILT] = { registry: loadRegistry(registryDir, serviceRules), base: siteUrl, generatedAt: buildTime.toISOString(), dynamic, ...(agentCardKey && { cardKey: publicKeyOf(agentCardKey) }) };
  }
  return shared[BUILT];
}
