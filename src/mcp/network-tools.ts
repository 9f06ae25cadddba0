import * as v from 'valibot';
import { searchForNeed } from '../search/knowledge.ts';
import { selectNotice } from '../search/not-offered.ts';
import { describeArea, describeTerm } from '../search/services-to-ask.ts';
import { findSubsite } from '../site/registry.ts';
import type { Context } from '../operation/context.ts';
import { countQuestion } from '../operation/question-budget.ts';
import { withExpectation } from '../operation/validate.ts';
import { findSubsiteNameFaults } from './directory.ts';
import { createPicklistSchema, querySchema } from './info-tools.ts';
import { entrySchemas, needOutput, pageInput, pageOf, createPageOutput } from './paging.ts';
import { createSubsiteDetails, summarizeSubsite } from './subsite-views.ts';
import { defineTool, type McpTool, READ_ANNOTATIONS } from './tool.ts';

const anyObject = v.looseObject({});
const NAME_RULE = 'Send the name of a subsite from list_subsites.';

/** The tools that every network has: a list of subsites, and the details of one. */
export function createNetworkTools(context: Pick<Context, 'site' | 'budgets' | 'now'>): McpTool[] {
  const { site } = context;
  const { registry, base } = site;
  const all = registry.subsites;
  return [
    defineTool({
      name: 'get_subsite_info',
      title: 'Subsite details',
      description: 'One subsite: prices, area, hours, facts, and actions with their fields.',
      annotations: READ_ANNOTATIONS,
      pure: true,
      input: v.strictObject({
        name: v.pipe(
          v.string(),
          withExpectation(NAME_RULE),
          v.description('Name from list_subsites'),
        ),
      }),
      output: v.object({ subsite: anyObject }),
      findFaults: ({ name }) => findSubsiteNameFaults(name, '/name', NAME_RULE, site),
      handle: ({ name }) => ({ subsite: createSubsiteDetails(findSubsite(registry, name)!, site) }),
    }),
    defineTool({
      name: 'list_subsites',
      title: 'Subsites',
      description: 'Lists subsites, or those for a need. Begin here.',
      annotations: READ_ANNOTATIONS,
      pure: true,
      input: v.strictObject({
        query: v.optional(querySchema),
        category: v.optional(createPicklistSchema(['marketing', 'product', 'misc'], 'Kind')),
        status: v.optional(createPicklistSchema(['public', 'auth'], 'auth: login')),
        ...pageInput,
      }),
      output: createPageOutput('subsites', entrySchemas.subsite, {
        // Declaring the codes themselves would make the tool list too large.
        first: { ...needOutput, notOfferedCode: v.optional(v.string()) },
      }),
      async handle(input, call) {
        const { query, category, status } = input;
        if (query !== undefined) await countQuestion(query, call, context);
        const findings = query === undefined ? undefined : searchForNeed(site, query);
        const subsiteNames = findings && [...new Set(findings.found.map(({ subsite }) => subsite))];
        const subsites = subsiteNames
          ? subsiteNames.map((name) => findSubsite(registry, name)!)
          : all;
        const found = subsites.filter(
          (subsite) =>
            (category === undefined || subsite.category === category) &&
            (status === undefined || subsite.status === status),
        );
        const { page, ...more } = pageOf(found, input, (subsite) => {
          const areaNotice = describeArea(subsite, query ?? '', site.registry);
          const termNotice = describeTerm(subsite, query ?? '');
          return {
            ...summarizeSubsite(subsite, base),
            ...(areaNotice !== undefined && { areaNotice }),
            ...(termNotice !== undefined && { termNotice }),
          };
        });
        return { ...(findings && selectNotice(findings)), subsites: page, ...more };
      },
    }),
  ];
}
