import { sql } from 'drizzle-orm';
import * as v from 'valibot';
import { shareLinks } from '../../db/schema.ts';
import { isDuplicate } from '../../db/index.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { claim, idempotencyParameter } from './idempotency.ts';
import { digestOf, namedSubsite } from './lead-input.ts';
import { defineOperation } from './operation.ts';
import type { InputError } from './problem.ts';
import { MAX_SHARE_PATH, resolveSharePath } from './share-path.ts';
import { SHARE_TOKEN_PATTERN } from './tokens.ts';
import { atMost, filledText, freeObject } from './texts.ts';
import { check, expecting, isObject, refuseIfAny } from './validate.ts';

const META_BYTES = 4096;
const PATH_RULE = 'Write a path at or under the url of the subsite: with its leading slash in full, or without one relative to the url; no scheme, no host, no backslash, no // and no dots that lead out.';

const request = v.strictObject({
  subsite: v.pipe(v.string(), v.description('Name of the subsite.')),
  path: v.optional(v.pipe(v.string(), v.minLength(1), atMost(MAX_SHARE_PATH), expecting(PATH_RULE), v.description('Page of the subsite, beginning with its url or relative to it; its front page when left out. Query and fragment are kept.'))),
  title: v.optional(v.pipe(filledText(200), expecting('Write a title of at most 200 characters.'), v.description('What the link is called.'))),
  meta: v.optional(v.pipe(freeObject(META_BYTES), expecting(`Send an object of at most ${META_BYTES} bytes as JSON, at most 16 levels deep.`), v.description('Anything to keep with the link, at most 4 KiB as JSON.'))),
});

const shareLink = v.strictObject({
  token: v.pipe(v.string(), v.regex(new RegExp(SHARE_TOKEN_PATTERN)), v.description('Token of the link.')),
  url: v.pipe(v.string(), v.url(), v.description('The short link.')),
  target: v.pipe(v.string(), v.url(), v.description('Where it leads.')),
  subsite: v.pipe(v.string(), v.description('Name of the subsite.')),
  path: v.pipe(v.string(), v.description('Site-relative path of the target.')),
  title: v.optional(v.string()),
  meta: v.optional(v.record(v.string(), v.unknown())),
  createdAt: v.pipe(v.string(), v.isoTimestamp(), v.description('When it was minted first.')),
});

export interface ShareInput {
  subsite: string;
  /** Resolved: equal places are equal texts. */
  path: string;
  title?: string;
  meta?: Record<string, unknown>;
}

export type ShareLink = v.InferOutput<typeof shareLink>;

/** Mints a short link to a page of a subsite; the same request mints the same one again. */
export const createShareLink = defineOperation<ShareInput, ShareLink>({
  name: 'create-share-link',
  summary: 'Mint a share link',
  description: 'Mints a short link to a page of a subsite. The same request mints the same link again, so it may be repeated.',
  method: 'POST',
  path: '/api/share',
  problems: ['invalid_input', 'idempotency_mismatch'],

  describe({ registry, base }) {
    const [subsite] = registry.subsites;
    const sample = { subsite: subsite?.name ?? 'name', path: `${subsite?.url ?? ''}?utm_source=share`, title: subsite?.title ?? 'A page' };
    return {
      parameters: [idempotencyParameter],
      request: { $ref: '#/components/schemas/ShareLinkRequest' },
      requestExamples: { page: { summary: 'A link to a subsite’s page', value: sample } },
      response: { $ref: '#/components/schemas/ShareLink' },
      responseExample: { token: 'k7TqWmP4', url: `${base}/s/k7TqWmP4`, target: `${base}${sample.path}`, ...sample, createdAt: '2026-11-02T15:04:05.000Z' },
      components: { ShareLinkRequest: jsonSchemaOf(request), ShareLink: jsonSchemaOf(shareLink) },
    };
  },

  parse(value, { site }) {
    const errors: InputError[] = [];
    const { output, errors: others } = check(request, value);
    const subsite = isObject(value) ? namedSubsite(site.registry, value['subsite'], '/subsite', errors) : undefined;
    const sent = isObject(value) ? value['path'] : undefined;
    const path = subsite && (typeof sent === 'string' ? resolveSharePath(sent, subsite.url, site.base) : subsite.url);
    if (subsite && path === undefined) errors.push({ pointer: '/path', message: PATH_RULE });
    refuseIfAny([...errors, ...others]);
    return { subsite: subsite!.name, path: path!, ...(output!.title !== undefined && { title: output!.title }), ...(output!.meta && { meta: output!.meta }) };
  },

  async handle(input, { idempotencyKey }, context) {
    const { site, database, tokens, now } = context;
    const row = { ...input, digest: digestOf(input), createdAt: now().toISOString() };
    const claimed = idempotencyKey !== undefined && (await claim({ scope: 'share', key: idempotencyKey, digest: row.digest }, row.digest, context));
    const mint = () =>
      database.writer
        .insert(shareLinks)
        .values({ ...row, token: tokens.share() })
        .onConflictDoUpdate({ target: shareLinks.digest, set: { digest: sql`excluded.digest` } })
        .returning({ token: shareLinks.token, createdAt: shareLinks.createdAt });
    // A token of eight characters may have been drawn before; a second draw has not.
    const [stored] = await mint().catch((error: unknown) => (isDuplicate(error) ? mint() : Promise.reject(error)));
    const { token, createdAt } = stored!;
    return {
      output: { token, url: `${site.base}/s/${token}`, target: `${site.base}${input.path}`, ...input, createdAt },
      replayed: claimed || createdAt !== row.createdAt,
    };
  },
});
