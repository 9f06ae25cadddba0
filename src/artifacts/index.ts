import type { Site } from '../site/site.ts';
import { agentCard } from './agent-card.json.ts';
import { agentIndex } from './agent-index.ts';
import { skillFiles, skillIndex } from './agent-skills.ts';
import { apiCatalog } from './api-catalog.ts';
import { ardCatalog } from './ard.json.ts';
import type { Artifact, Document } from './artifact.ts';
import { signCard } from './card-signature.ts';
import { capabilities } from './capabilities.ts';
import { jsonFeeds, rssFeeds } from './feeds.ts';
import { jwks } from './jwks.json.ts';
import { knowledge } from './knowledge.ts';
import { llmsFullTxt } from './llms-full.txt.ts';
import { llmsTxt } from './llms.txt.ts';
import { manifest, manifestWithData } from './manifest.ts';
import { createOpenapiArtifact } from './openapi.json.ts';
import { markdownPages } from './page.md.ts';
import { robots } from './robots.txt.ts';
import { securityTxt } from './security.txt.ts';
import { serverCards } from './server-card.ts';
import { serverJson } from './server.json.ts';
import { sitemapMarkdown } from './sitemap.md.ts';
import { sitemap } from './sitemap.xml.ts';
import { snapshots } from './snapshot.ts';

export type { Artifact, Document } from './artifact.ts';
export { signCard } from './card-signature.ts';

const describedArtifacts: readonly Artifact[] = [
  agentCard,
  jwks,
  agentIndex,
  manifest,
  manifestWithData,
  capabilities,
  knowledge,
  snapshots,
  llmsTxt,
  llmsFullTxt,
  ardCatalog,
  apiCatalog,
  skillIndex,
  skillFiles,
  serverCards,
  serverJson,
  sitemap,
  sitemapMarkdown,
  rssFeeds,
  jsonFeeds,
  robots,
  securityTxt,
  markdownPages,
];

/** All discovery documents, in reading order. */
export const artifacts: readonly Artifact[] = [
  ...describedArtifacts,
  createOpenapiArtifact(describedArtifacts),
];

/** A document to render: its canonical path, aliases and renderer. */
export interface Placement {
  path: string;
  aliases: readonly string[];
  artifact: Artifact;
  key: unknown;
}

/** The path of every document on a site. */
export function listPlacements(site: Site): Placement[] {
  return artifacts.flatMap((artifact) =>
    artifact.keys(site).map((key) => {
      const [path, ...aliases] = artifact.paths(key, site);
      return { path: path!, aliases, artifact, key };
    }),
  );
}

/** Thrown if a document does not match its schema, which is always a bug. */
export class ArtifactError extends Error {}

/**
 * Renders the text of a document.
 * @throws {ArtifactError} if the value does not match the artifact’s schema.
 */
export function renderDocument(artifact: Artifact, key: unknown, site: Site): string {
  const value = artifact.render(key, site);
  if (!artifact.schema) return String(value);
  const result = artifact.schema.safeParse(value);
  if (!result.success) {
    const path = artifact.paths(key, site)[0];
    throw new ArtifactError(
      `${path} does not satisfy the schema of ${artifact.name}:\n${result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`).join('\n')}`,
    );
  }
  return `${JSON.stringify(value)}\n`;
}

/** Renders a document as it is served. `signingKey` (PEM) signs it if the artifact is `signed`. */
export async function renderDocumentForServing(
  { artifact, key }: Placement,
  site: Site,
  signingKey: string | undefined,
): Promise<string> {
  const text = renderDocument(artifact, key, site);
  return artifact.signed && signingKey ? signCard(text, signingKey, site) : text;
}

export function listDocuments(site: Site): Document[] {
  return listPlacements(site).flatMap(({ path, aliases, artifact, key }) => {
    const body = renderDocument(artifact, key, site);
    return [path, ...aliases].map((documentPath) => ({
      path: documentPath,
      mediaType: artifact.mediaType,
      body,
    }));
  });
}
