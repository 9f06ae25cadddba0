import * as v from 'valibot';
import { createMaxLengthCheck } from '../fields/text-length.ts';
import { createDirectoryHint } from '../http/directory-hint.ts';
import type { Context } from '../operation/context.ts';
import { countQuestion } from '../operation/question-budget.ts';
import { withExpectation } from '../operation/validate.ts';
import {
  withNotOfferedNotice,
  formatAnswerText,
  DEFAULT_PASSAGE_COUNT,
  searchKnowledge,
} from '../search/knowledge.ts';
import { passageKinds } from '../search/passages/passage.ts';
import { MAX_CHARACTERS } from '../search/question.ts';
import { createPicklistSchema } from './info-tools.ts';
import { findSubsiteNameFaults } from './directory.ts';
import { createLimitSchema, needOutput, pageOf } from './paging.ts';
import { defineTool, type McpTool, READ_ANNOTATIONS } from './tool.ts';

const MAX_PASSAGES = 10;
/** The `answer` member of a confident result. */
const ANSWERED_TEXT = 'The passages answer the question; the first is the best match.';

const SUBSITE_RULE = 'Send the name of a subsite.';

const questionInput = v.strictObject({
  question: v.pipe(
    v.string(),
    v.regex(/\S/u),
    createMaxLengthCheck(MAX_CHARACTERS),
    withExpectation(`Send a question of 1 to ${MAX_CHARACTERS} characters.`),
    v.description('Question in plain words'),
  ),
  subsite: v.optional(
    v.pipe(
      v.string(),
      createMaxLengthCheck(100),
      withExpectation(SUBSITE_RULE),
      v.description('Only from this subsite'),
    ),
  ),
  kind: v.optional(createPicklistSchema(passageKinds, 'Only passages of this kind')),
  limit: v.optional(
    createLimitSchema(MAX_PASSAGES, 'Maximum number of passages'),
    DEFAULT_PASSAGE_COUNT,
  ),
});

const knowledgeOutput = v.object({
  ...needOutput,
  published: v.boolean(),
  answer: v.string(),
  passages: v.array(
    v.object({
      subsite: v.optional(v.string()),
      kind: v.string(),
      title: v.string(),
      text: v.string(),
      url: v.string(),
    }),
  ),
  ask: v.array(
    v.object({
      subsite: v.string(),
      title: v.string(),
      url: v.string(),
      actions: v.array(v.string()),
      manifestUrl: v.string(),
      phone: v.string(),
      emergency: v.optional(v.string()),
      areaNotice: v.optional(v.string()),
      termNotice: v.optional(v.string()),
      contracts: v.objectWithRest({}, v.string()),
    }),
  ),
  directory: v.optional(
    v.object({
      about: v.string(),
      index: v.string(),
      services: v.string(),
      samples: v.array(v.string()),
    }),
  ),
});

export function createAskKnowledgeTool(context: Context): McpTool {
  const { site } = context;
  return defineTool({
    name: 'ask_knowledge',
    title: 'Ask the published knowledge',
    description:
      'Finds the published passages nearest to a question, each with its source: facts, prices, guide steps, parts of pages, catalog items and requests. published is true if they reliably answer it. false means that the search cannot tell, not that the answer is unpublished: read the passages. notOffered says that the network does not do this, that the search is not sure who does, or answers a question about the network or an existing request; notOfferedCode says which. ask lists the services for the need, with their actions and whom to call in an emergency; if nothing answers and it is empty, directory says where to find them all.',
    annotations: READ_ANNOTATIONS,
    pure: true,
    input: questionInput,
    output: knowledgeOutput,
    findFaults: ({ subsite }) => findSubsiteNameFaults(subsite, '/subsite', SUBSITE_RULE, site),
    async handle({ question, subsite, kind, limit }, call) {
      await countQuestion(question, call, context);
      const {
        answered: published,
        passages,
        ask,
        ...notice
      } = searchKnowledge(site, {
        question,
        ...(subsite !== undefined && { subsites: [subsite] }),
        ...(kind && { kinds: [kind] }),
        limit,
      });
      const { page } = pageOf(passages, { limit }, (found) => found);
      return {
        ...notice,
        published,
        answer: published
          ? withNotOfferedNotice(notice.notOffered, ANSWERED_TEXT)
          : formatAnswerText({ ...notice, answered: false, passages: page }),
        passages: page,
        ask,
        ...(!published && !ask.length && { directory: createDirectoryHint(site) }),
      };
    },
  });
}
