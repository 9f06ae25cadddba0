import type { GetPromptResult } from '@modelcontextprotocol/server';
import { createInputProblem } from '../operation/validate.ts';
import { suggestNearest } from '../site/corrections/similar-names.ts';
import { findSubsite } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import type { McpPrompt } from './definition.ts';
import { createPrefixCompleter, listSubsiteNames } from './directory.ts';

export const createUserPrompt = (text: string): GetPromptResult => ({
  messages: [{ role: 'user', content: { type: 'text', text } }],
});

const MAX_LISTED_NAMES = 40;

/** Rejects an unknown argument value. @throws {Problem} invalid_input, listing the known values */
export function requireKnownValue(
  argument: string,
  value: string | undefined,
  known: readonly string[],
): void {
  if (value !== undefined && known.includes(value)) return;
  const listed =
    known.length > MAX_LISTED_NAMES ? [...known.slice(0, MAX_LISTED_NAMES), '…'] : known;
  throw createInputProblem(
    `/${argument}`,
    `Unknown name.${suggestNearest(value, known)} Known names: ${listed.join(', ')}.`,
    known,
  );
}

/**
 * Prompts, which clients show to people as menu items: find a service, request something, follow a
 * request.
 */
export function createNetworkPrompts(site: Site): McpPrompt[] {
  const { registry } = site;
  const { name } = registry.network;
  const names = listSubsiteNames(site);
  const subsitesWithActions = registry.subsites
    .filter((subsite) => subsite.actions.length)
    .map((subsite) => subsite.name);
  const verbsOf = (subsite: string | undefined) =>
    (subsite === undefined
      ? registry.subsites
      : registry.subsites.filter((other) => other.name === subsite)
    ).flatMap((other) => other.actions.map((action) => action.verb));

  return [
    {
      descriptor: {
        name: 'find_service',
        title: 'Find a service',
        description: `Finds what ${name} offers for a need.`,
        arguments: [
          { name: 'need', description: 'What the person needs, in plain words', required: true },
          { name: 'subsite', description: 'Subsite to begin with', required: false },
        ],
      },
      complete: { subsite: createPrefixCompleter(names) },
      render: ({ need, subsite = '' }) =>
        createUserPrompt(
          `Find what ${name} offers for this need: ${need}\n\n` +
            (findSubsite(registry, subsite)
              ? `Begin with get_subsite_info for ${subsite}. `
              : 'Call list_subsites with the need as query, then get_subsite_info for the best one or two. ') +
            'Quote prices as published, give the url, and say that the provider confirms bookings.',
        ),
    },
    {
      descriptor: {
        name: 'request_action',
        title: 'Request a quote, a visit or a booking',
        description: 'Collects what an action needs, tries it in the sandbox and submits it once.',
        arguments: [
          { name: 'subsite', description: 'Subsite to ask', required: true },
          { name: 'action', description: 'Verb of the action', required: false },
        ],
      },
      complete: {
        subsite: createPrefixCompleter(subsitesWithActions),
        action: (prefix, { subsite }) =>
          [...new Set(verbsOf(subsite))].filter((verb) => verb.startsWith(prefix.toLowerCase())),
      },
      render({ subsite, action }) {
        requireKnownValue('subsite', subsite, subsitesWithActions);
        if (action) requireKnownValue('action', action, verbsOf(subsite));
        return createUserPrompt(
          `Submit ${action ? `the action ${action}` : 'an action'} of the subsite ${subsite} for me.\n\n` +
            'Read its fields with get_subsite_info. Ask me for what is required and for a way to reach me; do not invent values. ' +
            'Call submit_action with sandbox true first and fix what it reports; then call it once without sandbox, with a new idempotencyKey that you keep for retries. ' +
            'Give me the receiptUrl. A receipt is not a confirmed booking or payment.',
        );
      },
    },
    {
      descriptor: {
        name: 'follow_request',
        title: 'Follow a request',
        description: 'Reports the state of a request.',
        arguments: [{ name: 'receiptToken', description: 'Token of the receipt', required: true }],
      },
      complete: { receiptToken: createPrefixCompleter(['sandbox']) },
      render: ({ receiptToken }) =>
        createUserPrompt(
          `Call get_lead_status for the receipt ${receiptToken} and tell me its state, when an answer is due, what the provider asks or offers, and what I can do next. If I decide, send my decision with reply_to_request; do not accept an offer that I have not seen. Only “confirmed” means that the provider has agreed.`,
        ),
    },
  ];
}
