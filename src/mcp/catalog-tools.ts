import * as v from 'valibot';
import { createMaxLengthCheck } from '../fields/text-length.ts';
import { selectNotice } from '../search/not-offered.ts';
import { searchForNeed } from '../search/knowledge.ts';
import { joinServiceWords } from '../search/passages/passage.ts';
import type { Findings } from '../search/find-need.ts';
import { type TextIndex, createTextIndex } from '../search/index/text-index.ts';
import { findAction, findSubsite } from '../site/registry.ts';
import { withExpectation } from '../operation/validate.ts';
import {
  listActionsOutsideCatalog,
  formatActionAdvice,
  formatUnknownIdAdvice,
} from '../capabilities/other-actions.ts';
import { capabilityCatalogOf } from '../capabilities/capability-catalog.ts';
import { capabilityModes } from '../site/capability-kinds.ts';
import { type CapabilityRecord, isOffered } from '../site/capability-record.ts';
import type { Site } from '../site/site.ts';
import type { Context } from '../operation/context.ts';
import { countQuestion } from '../operation/question-budget.ts';
import { createPicklistSchema, querySchema } from './info-tools.ts';
import {
  entrySchemas,
  needOutput,
  pageInput,
  pageOf,
  createPageOutput,
  totalOutput,
} from './paging.ts';
import { defineTool, type McpTool, READ_ANNOTATIONS, type ToolCall } from './tool.ts';

const ID_RULE = 'Send the ID of a capability from search_capabilities.';

const summarizeCapability = ({ id, title, description, mode, pricing }: CapabilityRecord) => ({
  id,
  title,
  description,
  mode,
  pricing: pricing.kind,
});

/** A person who describes a need usually wants an action, so help and guides rank lower. */
const INTAKE_WEIGHT = 1.5;

/** Search index: titles, purposes, keywords and questions of subsites, and actions. */
function createCapabilityIndex(
  { registry }: Site,
  capabilities: readonly CapabilityRecord[],
): TextIndex<CapabilityRecord> {
  return createTextIndex(
    registry.network,
    capabilities,
    ({ title, description, subsite: name, action: verb, mode }) => {
      const subsite = name === undefined ? undefined : findSubsite(registry, name);
      const action = subsite && verb !== undefined ? findAction(subsite, verb) : undefined;
      return {
        title,
        text: action ? `${action.title} ${action.description}` : description,
        words: subsite ? joinServiceWords(subsite) : '',
        weight: mode === 'intake' ? INTAKE_WEIGHT : 1,
      };
    },
  );
}

/** Hint if no capability is known to meet a need. */
const RELATED_CAPABILITIES_HINT =
  'Only related words match these capabilities. Check that one of them does what is needed.';

/** Whether a caller may use a capability. */
export type IsAllowedCapability = (capability: CapabilityRecord, call: ToolCall) => boolean;

export function createSearchCapabilitiesTool(
  context: Pick<Context, 'site' | 'budgets' | 'now'>,
  isAllowed: IsAllowedCapability,
): McpTool {
  const { site } = context;
  const capabilities = [...capabilityCatalogOf(site).values()];
  const index = createCapabilityIndex(site, capabilities);

  /**
   * The capabilities of the services that meet or may meet a need, best service first, and the
   * capabilities that contain every word of the query. A capability without a service comes first
   * if it is the best match.
   */
  function findForNeed(
    query: string,
    { found, notOfferedCode }: Findings,
    isAccepted: (capability: CapabilityRecord) => boolean,
  ): { capabilities: CapabilityRecord[]; hasEveryWord: boolean } {
    if (notOfferedCode === 'answered') return { capabilities: [], hasEveryWord: false };
    const services = [...new Set(found.map(({ subsite }) => subsite))];
    const matches = index.search(query, isAccepted);
    const [best] = matches;
    const named = new Set(
      notOfferedCode === 'not_offered'
        ? []
        : matches.filter(({ match }) => match.hasOwnTerms).map(({ entry }) => entry),
    );
    const rankOf = (capability: CapabilityRecord): number => {
      const { subsite } = capability;
      if (subsite === undefined) return capability === best?.entry ? -1 : services.length;
      const rank = services.indexOf(subsite);
      return rank === -1 ? services.length : rank;
    };
    const capabilitiesFound = [
      ...new Set([...matches.map(({ entry }) => entry), ...capabilities.filter(isAccepted)]),
    ]
      .filter((capability) => named.has(capability) || services.includes(capability.subsite ?? ''))
      .sort((one, other) => rankOf(one) - rankOf(other));
    return { capabilities: capabilitiesFound, hasEveryWord: named.size > 0 };
  }

  return defineTool({
    name: 'search_capabilities',
    title: 'Search capabilities',
    description:
      'Finds capabilities for a need or by mode; without either, lists all. notOffered says that no service is known to meet the need; hint, that only related words match, or how to submit an action that is not listed.',
    annotations: READ_ANNOTATIONS,
    pure: true,
    input: v.strictObject({
      query: v.optional(querySchema),
      mode: v.optional(
        createPicklistSchema(
          capabilityModes,
          'What it does: information, a request (intake), a guide (education) or work (execution)',
        ),
      ),
      ...pageInput,
    }),
    output: createPageOutput('capabilities', entrySchemas.capability, {
      last: { ...totalOutput, nextCursor: v.optional(v.string()) },
      first: {
        ...needOutput,
        hint: v.optional(v.string()),
        actions: v.optional(
          v.array(
            v.object({
              subsite: v.string(),
              action: v.optional(v.string()),
              manifestUrl: v.string(),
            }),
          ),
        ),
      },
    }),
    async handle(input, call) {
      const { query, mode } = input;
      if (query !== undefined) await countQuestion(query, call, context);
      const isAccepted = (capability: CapabilityRecord) =>
        (mode === undefined || capability.mode === mode) && isAllowed(capability, call);
      const need = query === undefined ? undefined : searchForNeed(site, query);
      const { capabilities: found, hasEveryWord } =
        query === undefined || need === undefined
          ? { capabilities: capabilities.filter(isAccepted), hasEveryWord: true }
          : findForNeed(
              query,
              need,
              (capability) => isAccepted(capability) && isOffered(site.registry, capability),
            );
      // A capability that contains every word of the need may meet it, even if no service does.
      const isRefused =
        need?.notOffered !== undefined && (!hasEveryWord || need.otherWords !== undefined);
      const notice = isRefused ? selectNotice(need) : {};
      const actions =
        notice.notOffered === undefined && (mode === undefined || mode === 'intake')
          ? listActionsOutsideCatalog(need?.found ?? [], site, (capability) =>
              isAllowed(capability, call),
            )
          : [];
      const [best] = actions;
      const first = {
        ...notice,
        ...(best && { hint: `The best match: ${formatActionAdvice(best, site)}`, actions }),
        ...(isRefused && found.length > 0 && { hint: RELATED_CAPABILITIES_HINT }),
      };
      const { page, ...more } = pageOf(found, input, summarizeCapability, first);
      return { ...first, capabilities: page, ...more };
    },
  });
}

const capabilityOutputSchema = v.looseObject({
  id: v.string(),
  version: v.string(),
  title: v.string(),
  description: v.string(),
  route: v.string(),
  mode: v.string(),
  adapter: v.string(),
  authentication: v.string(),
  subsite: v.optional(v.string()),
  action: v.optional(v.string()),
  contract: v.optional(v.string()),
  inputSchema: v.looseObject({}),
  pricing: v.object({ kind: v.string(), description: v.string() }),
  evidence: v.array(v.string()),
  limitations: v.array(v.string()),
} satisfies Record<keyof CapabilityRecord, v.GenericSchema>);

export function createGetCapabilityTool(site: Site, isAllowed: IsAllowedCapability): McpTool {
  return defineTool({
    name: 'get_capability',
    title: 'One capability',
    description:
      'One complete capability: the JSON Schema of its input with an example, its price and its limits.',
    annotations: READ_ANNOTATIONS,
    pure: true,
    input: v.strictObject({
      id: v.pipe(
        v.string(),
        createMaxLengthCheck(200),
        withExpectation(ID_RULE),
        v.description('ID from search_capabilities'),
      ),
    }),
    output: v.object({ capability: capabilityOutputSchema }),
    findFaults({ id }, call) {
      if (typeof id !== 'string') return [];
      const allowed = [...capabilityCatalogOf(site).values()]
        .filter((capability) => isAllowed(capability, call))
        .map((capability) => capability.id);
      if (allowed.includes(id)) return [];
      const message = `${ID_RULE}${formatUnknownIdAdvice(id, allowed, site)}`;
      return [{ pointer: '/id', message, allowed }];
    },
    handle: ({ id }) => ({ capability: { ...capabilityCatalogOf(site).get(id)! } }),
  });
}
