import type { Context } from '../operation/context.ts';
import { capabilitiesOf, type CapabilityRecord } from '../site/capability-record.ts';
import { createAskKnowledgeTool } from './ask-knowledge.ts';
import { createGetCapabilityTool, createSearchCapabilitiesTool } from './catalog-tools.ts';
import type { McpDefinition, McpPrompt, McpResourceTemplate } from './definition.ts';
import {
  createPrefixCompleter,
  createDirectoryResource,
  createMarkdownResource,
  renderMarkdownList,
  listSubsiteNames,
} from './directory.ts';
import { createServerIdentity } from './network-server.ts';
import { createUserPrompt, requireKnownValue } from './prompts.ts';

const renderCapabilities = (capabilities: readonly CapabilityRecord[], name: string): string =>
  renderMarkdownList(
    [`# ${name}: capabilities`, ''],
    capabilities.map(
      ({ id, title, mode, pricing }) => `- ${id} (${mode}, ${pricing.kind}): ${title}`,
    ),
    'call search_capabilities',
  );

function createCapabilityTemplate(capabilities: readonly CapabilityRecord[]): McpResourceTemplate {
  return {
    descriptor: {
      uriTemplate: 'network://capabilities/{id}',
      name: 'capability',
      title: 'Capability',
      description: 'One complete capability, as get_capability returns it.',
      mimeType: 'application/json',
    },
    complete: { id: createPrefixCompleter(capabilities.map(({ id }) => id)) },
    read({ id }) {
      const capability = capabilities.find((other) => other.id === id);
      return capability && JSON.stringify(capability);
    },
  };
}

function createCatalogPrompts(
  context: Context,
  capabilities: readonly CapabilityRecord[],
): McpPrompt[] {
  const { name } = context.site.registry.network;
  const subsites = listSubsiteNames(context.site);
  const ids = capabilities.map(({ id }) => id);
  return [
    {
      descriptor: {
        name: 'ask',
        title: 'Ask a question',
        description: `Answers from what ${name} publishes, with sources.`,
        arguments: [
          { name: 'question', description: 'Question in plain words', required: true },
          { name: 'subsite', description: 'Only from this subsite', required: false },
        ],
      },
      complete: { subsite: createPrefixCompleter(subsites) },
      render({ question, subsite }) {
        if (subsite) requireKnownValue('subsite', subsite, subsites);
        return createUserPrompt(
          `Answer with ask_knowledge${subsite ? ` from the subsite ${subsite}` : ''}: ${question}\n\nSay only what the passages say and give the url of each. If published is false, say so and name whom to ask.`,
        );
      },
    },
    {
      descriptor: {
        name: 'prepare_capability',
        title: 'Prepare a capability',
        description: 'Collects what a capability needs before it is run with a key.',
        arguments: [{ name: 'id', description: 'ID of the capability', required: true }],
      },
      complete: { id: createPrefixCompleter(ids) },
      render({ id }) {
        requireKnownValue('id', id, ids);
        return createUserPrompt(
          `Read the capability ${id} with get_capability. Ask me for what its inputSchema requires, then show me the input as JSON, its price and its limits before anything is run.`,
        );
      },
    },
  ];
}

/** What /api/v1/mcp serves: the capability catalog and the published knowledge. */
export function createCatalogServer(context: Context): McpDefinition {
  const { registry, base } = context.site;
  const { network } = registry;
  const capabilities = capabilitiesOf(registry, base);
  return {
    ...createServerIdentity(context, '/api/v1/mcp'),
    instructions:
      `The capability catalog of ${network.name} and what it publishes. search_capabilities finds capabilities, and names the action to submit if that fits better; get_capability shows one capability with its input schema, and ask_knowledge finds the published passages nearest to a question. ` +
      `Reading needs no key. Running a capability needs one: ${base}${network.agentArea} explains how to get one. A result with isError contains a problem object as JSON text: errors lists each invalid argument and what it accepts.`,
    tools: [
      createSearchCapabilitiesTool(context, () => true),
      createGetCapabilityTool(context.site, () => true),
      createAskKnowledgeTool(context),
    ],
    resources: [
      createMarkdownResource(
        context.site,
        'capabilities',
        'Every capability with its mode and price.',
        renderCapabilities(capabilities, network.name),
      ),
      createDirectoryResource(context.site),
    ],
    templates: [createCapabilityTemplate(capabilities)],
    prompts: createCatalogPrompts(context, capabilities),
  };
}
