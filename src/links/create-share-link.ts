import { eq, sql } from 'drizzle-orm';
import * as v from 'valibot';
import { shareLinks } from '../../db/schema-links.ts';
import { isDuplicateKeyError } from '../../db/index.ts';
import {
  type BudgetCount,
  findBudgetRejection,
  recordUses,
  createBudgetConditions,
  createDailyCallerCounts,
} from '../operation/budgets.ts';
import { jsonSchemaOf } from '../operation/json-schema.ts';
import { reserveKey, idempotencyParameter } from '../operation/idempotency.ts';
import { digestCanonicalJson } from '../operation/canonical-digest.ts';
import { findNamedSubsite } from '../leads/submit/lead-input.ts';
import type { Context } from '../operation/context.ts';
import { combineConditions, insertWhere } from '../operation/statements.ts';
import { defineOperation } from '../operation/operation.ts';
import type { InputError } from '../operation/problem.ts';
import { createMissingPageNotice } from './missing-page.ts';
import { MAX_SHARE_PATH_LENGTH, resolveSharePath } from './share-path.ts';
import { SHARE_TOKEN_PATTERN } from '../operation/tokens.ts';
import { countCodePoints, createMaxLengthCheck } from '../fields/text-length.ts';
import { createFilledLineSchema, createFreeObjectSchema } from '../operation/text-schemas.ts';
import { isObject } from '../site/json-object.ts';
import {
  validateValue,
  createTextSchema,
  jsonObject,
  requireValidValues,
  withExpectation,
} from '../operation/validate.ts';

const MAX_META_BYTES = 4096;
const PATH_RULE =
  'Enter a path at or under the url of the subsite: a full path with a leading slash, or a path relative to the url. It must not have a scheme, a host, a space, a backslash, //, invalid percent-encoding, or dot segments that lead out of the subsite.';

/** Says how to correct an invalid path; its length is checked first. */
const ruleFor = (sent: unknown): string =>
  typeof sent === 'string' && countCodePoints(sent) > MAX_SHARE_PATH_LENGTH
    ? `Enter a path of at most ${MAX_SHARE_PATH_LENGTH} characters.`
    : PATH_RULE;

const requestSchema = v.strictObject({
  subsite: createTextSchema('Name of the subsite.'),
  path: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[^ ]+$/u),
      createMaxLengthCheck(MAX_SHARE_PATH_LENGTH),
      withExpectation(PATH_RULE),
      v.description(
        'Page of the subsite: a path that begins with its url or is relative to it. Defaults to the front page of the subsite. The query and fragment are kept.',
      ),
    ),
  ),
  title: v.optional(
    v.pipe(
      createFilledLineSchema(200),
      withExpectation('Enter a title of at most 200 characters.'),
      v.description('Title of the link.'),
    ),
  ),
  meta: v.optional(
    v.pipe(
      createFreeObjectSchema(MAX_META_BYTES),
      withExpectation(
        `Send an object of at most ${MAX_META_BYTES} bytes as JSON, at most 16 levels deep.`,
      ),
      v.description('Any data to store with the link, at most 4 KiB as JSON.'),
    ),
  ),
});

const shareLinkSchema = v.strictObject({
  token: v.pipe(
    v.string(),
    v.regex(new RegExp(SHARE_TOKEN_PATTERN)),
    v.description('Token of the link.'),
  ),
  url: v.pipe(v.string(), v.url(), v.description('The short link.')),
  target: v.pipe(v.string(), v.url(), v.description('URL of the target page.')),
  subsite: createTextSchema('Name of the subsite.'),
  path: createTextSchema('Site-relative path of the target.'),
  title: v.optional(v.string()),
  meta: v.optional(jsonObject),
  createdAt: v.pipe(v.string(), v.isoTimestamp(), v.description('When the link was created.')),
  notice: v.optional(
    createTextSchema('Present if no page exists at the path: lists the nearest existing pages.'),
  ),
});

export type ShareInput = Omit<v.InferOutput<typeof requestSchema>, 'path'> & {
  /** A resolved path, so that links to the same target have the same path. */
  path: string;
};

export type ShareLink = v.InferOutput<typeof shareLinkSchema>;

type NewLink = ShareInput & { digest: string; createdAt: string };

/**
 * Returns the token and creation time of the link with this digest, and creates the link if there
 * is none (`isNew`); undefined if the budget is used up.
 */
async function storeLink(
  row: NewLink,
  counts: readonly BudgetCount[],
  { database: { writer }, tokens, now }: Context,
): Promise<{ token: string; createdAt: string; isNew: boolean } | undefined> {
  const token = tokens.share();
  const exists = sql`exists (select 1 from ${shareLinks} where ${eq(shareLinks.digest, row.digest)})`;
  const isWithinBudget = combineConditions(sql`true`, ...createBudgetConditions(counts, now()));
  const link = insertWhere(shareLinks, { ...row, token }, sql`(${exists} or (${isWithinBudget}))`);
  const [stored] = await writer.batch([
    writer.all<{ token: string; createdAt: string }>(
      sql`${link} on conflict (digest) do update set digest = excluded.digest returning token, created_at as createdAt`,
    ),
    ...recordUses(
      counts,
      token,
      sql`exists (select 1 from ${shareLinks} where ${eq(shareLinks.token, token)})`,
    ).map((statement) => writer.run(statement)),
  ]);
  return stored[0] && { ...stored[0], isNew: stored[0].token === token };
}

/** Creates a short link to a page of a subsite; the same request returns the same link again. */
export const createShareLink = defineOperation<ShareInput, ShareLink>({
  name: 'create-share-link',
  summary: 'Create a share link',
  description:
    'Creates a short link to a page of a subsite. The same request returns the same link again, so it is safe to repeat. The response has a notice if no page exists at the path.',
  method: 'POST',
  path: '/api/share',
  problems: ['invalid_input', 'budget_exceeded', 'idempotency_mismatch'],

  describe({ registry, base }) {
    const [subsite] = registry.subsites;
    const sample = {
      subsite: subsite?.name ?? 'name',
      path: `${subsite?.url ?? ''}?utm_source=share`,
      title: subsite?.title ?? 'A page',
    };
    return {
      parameters: [idempotencyParameter],
      request: { $ref: '#/components/schemas/ShareLinkRequest' },
      requestExamples: { page: { summary: 'A link to a subsite’s page', value: sample } },
      response: { $ref: '#/components/schemas/ShareLink' },
      responseExample: {
        token: 'k7TqWmP4',
        url: `${base}/s/k7TqWmP4`,
        target: `${base}${sample.path}`,
        ...sample,
        createdAt: '2026-11-02T15:04:05.000Z',
      },
      components: {
        ShareLinkRequest: jsonSchemaOf(requestSchema),
        ShareLink: jsonSchemaOf(shareLinkSchema),
      },
    };
  },

  parse(value, { site }) {
    const errors: InputError[] = [];
    const { output, errors: others } = validateValue(requestSchema, value);
    const subsite = isObject(value)
      ? findNamedSubsite(
          site.registry,
          { name: value['subsite'], candidates: site.registry.subsites },
          '/subsite',
          errors,
        )
      : undefined;
    const sent = isObject(value) ? value['path'] : undefined;
    const path =
      subsite &&
      (typeof sent === 'string' ? resolveSharePath(sent, subsite.url, site.base) : subsite.url);
    if (subsite && path === undefined) errors.push({ pointer: '/path', message: ruleFor(sent) });
    const link = requireValidValues([...errors, ...others], { subsite, path, output });
    const { title, meta } = link.output;
    return {
      subsite: link.subsite.name,
      path: link.path,
      ...(title !== undefined && { title }),
      ...(meta && { meta }),
    };
  },

  async handle(input, call, context) {
    const { idempotencyKey } = call;
    const { site, database, now } = context;
    const row = { ...input, digest: digestCanonicalJson(input), createdAt: now().toISOString() };
    const counts = await createDailyCallerCounts(
      { budget: 'share_links', limit: 'shareLinksPerAddress', noun: 'new share link' },
      call,
      context,
    );
    /** Rejects a new link over the budget; an existing link is returned again. */
    const requireBudget = async () => {
      const rejection = await findBudgetRejection(counts, context);
      if (!rejection) return;
      const [exists] = await database.writer
        .select({ token: shareLinks.token })
        .from(shareLinks)
        .where(eq(shareLinks.digest, row.digest));
      if (!exists) throw rejection;
    };
    await requireBudget();
    const wasReserved =
      idempotencyKey !== undefined &&
      (await reserveKey(
        { scope: 'share', key: idempotencyKey, digest: row.digest },
        row.digest,
        context,
      ));
    // A random token of eight characters may already exist; two in a row will not.
    const stored = await storeLink(row, counts, context).catch((error: unknown) => {
      if (!isDuplicateKeyError(error)) throw error;
      return storeLink(row, counts, context);
    });
    if (!stored) {
      // Other links have since used up the budget.
      await requireBudget();
      throw new Error('A share link was not written although its budget is not used up.');
    }
    const { token, createdAt, isNew } = stored;
    const notice = createMissingPageNotice(input.path, input.subsite, site);
    return {
      output: {
        token,
        url: `${site.base}/s/${token}`,
        target: `${site.base}${input.path}`,
        ...input,
        createdAt,
        ...(notice !== undefined && { notice }),
      },
      replayed: wasReserved || !isNew,
    };
  },
});
