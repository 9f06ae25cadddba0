import type { Action } from '../../../src/registry/schemas/action.ts';
import { exampleValuesOf } from '../../../src/fields/fields.ts';
import { listInfoTools, itemsOf } from '../../../src/site/registry.ts';
import type { Item } from '../../../src/registry/schemas/catalog.ts';
import type { Site } from '../../../src/site/site.ts';
import type { Subsite } from '../../../src/registry/schemas/subsite.ts';
import type { McpPath } from './serve-network.ts';

type Arguments = Record<string, unknown>;

const CONTACT = { name: 'Dana Reyes', email: 'dana@example.com', phone: '(727) 555-0142' };

/** Actions of a network with valid arguments. */
export const listSubmissions = ({
  registry,
}: Site): { subsite: Subsite; action: Action; arguments: Arguments }[] =>
  registry.subsites.flatMap((subsite) =>
    subsite.actions.map((action) => ({
      subsite,
      action,
      arguments: {
        subsite: subsite.name,
        action: action.verb,
        fields: exampleValuesOf(action.fields),
        contact: CONTACT,
      },
    })),
  );

const findLongestWord = ({ title }: Item) =>
  title.split(/[^A-Za-z]+/).sort((a, b) => b.length - a.length)[0]!;

/** Valid arguments for each tool of an endpoint. The keys are exactly the listed tools. */
export function callsOf(site: Site, path: McpPath): Record<string, Arguments> {
  const { registry } = site;
  const [subsite] = registry.subsites;
  if (path === '/api/v1/mcp')
    return {
      search_capabilities: {},
      get_capability: { id: registry.capabilities[0]!.id },
      ask_knowledge: { question: registry.subsites.flatMap(({ questions = [] }) => questions)[0]! },
    };
  return {
    get_subsite_info: { name: subsite!.name },
    list_subsites: {},
    ...Object.fromEntries(
      listInfoTools(registry).map(({ name, shows, of: catalogs }) => [
        name,
        shows === 'search' ? { query: findLongestWord(itemsOf(registry, catalogs[0]!)[0]!) } : {},
      ]),
    ),
    submit_action: {
      ...listSubmissions(site)[0]!.arguments,
      idempotencyKey: 'every-tool-that-files',
    },
    capture_lead: {
      email: 'dana@example.com',
      source: subsite!.leadSource,
      idempotencyKey: 'every-tool-plain',
    },
    get_lead_status: { receiptToken: 'sandbox' },
    reply_to_request: { receiptToken: 'sandbox', text: 'Could you come on a weekday?' },
    create_share_link: { subsite: subsite!.name },
  };
}

/** Valid arguments for each prompt. The keys are exactly the listed prompts. */
export const promptsOf = (site: Site, path: McpPath): Record<string, Record<string, string>> =>
  path === '/api/v1/mcp'
    ? {
        ask: { question: 'What does it cost?' },
        prepare_capability: { id: site.registry.capabilities[0]!.id },
      }
    : {
        find_service: { need: 'a repair' },
        request_action: { subsite: listSubmissions(site)[0]!.subsite.name },
        follow_request: { receiptToken: 'sandbox' },
      };

/** Templates with an existing URI and completions for their variable. */
export const templatesOf = (
  site: Site,
  path: McpPath,
): Record<string, { uri: string; variable: string; value: string }> =>
  path === '/api/v1/mcp'
    ? {
        'network://capabilities/{id}': {
          uri: `network://capabilities/${site.registry.capabilities[0]!.id}`,
          variable: 'id',
          value: site.registry.capabilities[0]!.id,
        },
      }
    : {
        'network://subsites/{name}': {
          uri: `network://subsites/${site.registry.subsites[0]!.name}`,
          variable: 'name',
          value: site.registry.subsites[0]!.name,
        },
      };

/** Resources with a fixed URI. */
export const resourcesOf = (path: McpPath): string[] =>
  path === '/api/v1/mcp'
    ? ['network://capabilities', 'network://directory']
    : ['network://directory'];
