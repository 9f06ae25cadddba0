import type { InboxSession } from '../../keys/inbox-session.ts';
import type { LeadAccess } from '../../keys/key-scopes.ts';
import { readOutboxState } from '../../leads/deliveries/outbox-state.ts';
import { leadStatuses } from '../../leads/lead-states.ts';
import { findAnsweredQuestions } from '../../leads/lists/answered-questions.ts';
import { describeDeadlines } from '../../leads/lists/deadlines.ts';
import { listLeadsByReference, MAX_FOUND_LEADS } from '../../leads/lists/find-leads.ts';
import { describeRows, readNamedStates } from '../../leads/lists/inbox-rows.ts';
import type { LeadSummary } from '../../leads/lists/list-leads.ts';
import { EMPTY_OVERVIEW, readInboxOverview } from '../../leads/lists/inbox-overview.ts';
import { type InboxCursor, type InboxPage, readInbox } from '../../leads/lists/read-inbox.ts';
import type { Context } from '../../operation/context.ts';
import { Problem } from '../../operation/problem.ts';
import { addHours } from '../../operation/time-arithmetic.ts';
import type { Registry } from '../../site/registry.ts';
import type { DisplayedState } from '../../leads/status/timeline.ts';
import type { InboxView } from '../views.ts';
import { INBOX_PATH } from './inbox-session.ts';

/** Maximum count to show; a higher count takes longer and is no more useful. */
const MAX_COUNTED_LEADS = 1_000;
/** States to choose from; a lead that was declined after it was confirmed is canceled. */
const filterStates = [...leadStatuses, 'canceled'] as const;
/** Ages to choose from, in hours. */
const ageLimits: ReadonlyMap<string, number> = new Map([
  ['2 hours', 2],
  ['a day', 24],
  ['a week', 168],
]);

/** Query parameter with the references of the search results, separated by commas. */
export const FOUND_PARAMETER = 'found';

/** Services that a session can filter by. A key may refer to a deleted subsite. */
const servicesOf = (
  access: LeadAccess,
  { subsites }: Registry,
): { name: string; title: string }[] =>
  access === 'all'
    ? subsites.map(({ name, title }) => ({ name, title }))
    : access.map(
        (name) => subsites.find((subsite) => subsite.name === name) ?? { name, title: name },
      );

/** Parses an inbox query into a filter. @throws {Problem} not_found for an unknown service */
function parseChoices(
  query: URLSearchParams,
  session: InboxSession,
  services: readonly { name: string }[],
) {
  const status = filterStates.find((name) => name === query.get('status'));
  const subsite = query.get('subsite') || undefined;
  if (subsite !== undefined && !services.some(({ name }) => name === subsite))
    throw new Problem('not_found', 'Your inbox has no service with this name.');
  const older = query.get('older') ?? '';
  const hours = ageLimits.get(older);
  return {
    status,
    access: subsite === undefined ? session.access : [subsite],
    hours,
    undelivered: query.get('undelivered') === 'yes',
    waiting: query.get('waiting') === 'yes',
    found: query.get(FOUND_PARAMETER)?.split(',').slice(0, MAX_FOUND_LEADS),
    place: {
      olderThan: query.get('olderThan') ?? undefined,
      newerThan: query.get('newerThan') ?? undefined,
    },
    isFiltered: query.has(FOUND_PARAMETER) || [...query.values()].some(Boolean),
    filter: { ...(status && { status }), ...(subsite && { subsite }), ...(hours && { older }) },
  };
}

type Choices = ReturnType<typeof parseChoices>;

async function readFilteredLeads(
  { status, access, hours, undelivered, waiting, place, found }: Choices,
  context: Context,
): Promise<InboxPage> {
  if (found) return { leads: await listLeadsByReference(found, access, context) };
  const filter = {
    statuses: status && [status === 'canceled' ? ('declined' as const) : status],
    ...((status === 'canceled' || status === 'declined') && {
      wasConfirmed: status === 'canceled',
    }),
    subsites: access === 'all' ? undefined : access,
    before: hours === undefined ? undefined : addHours(context.now(), -hours),
    undelivered: undelivered || undefined,
    waiting: waiting || undefined,
  };
  return readInbox(filter, place, context);
}

function createPageLink(
  { olderThan, newerThan }: InboxCursor,
  { filter, undelivered, waiting }: Choices,
): string {
  const search = new URLSearchParams({
    ...filter,
    ...(undelivered && { undelivered: 'yes' }),
    ...(waiting && { waiting: 'yes' }),
    ...(olderThan !== undefined && { olderThan }),
    ...(newerThan !== undefined && { newerThan }),
  });
  return `${INBOX_PATH}?${search.toString()}`;
}

/**
 * The leads of an inbox that match the query, newest first; without a filter, leads that are due
 * come first. @throws {Problem} not_found for an unknown service
 */
export async function createInboxListView(
  session: InboxSession,
  query: URLSearchParams,
  context: Context,
): Promise<InboxView> {
  const services = servicesOf(session.access, context.site.registry);
  const choices = parseChoices(query, session, services);
  const { access, isFiltered } = choices;
  const [{ leads, newer, older }, start, outbox] = await Promise.all([
    readFilteredLeads(choices, context),
    isFiltered ? EMPTY_OVERVIEW : readInboxOverview(access, MAX_COUNTED_LEADS + 1, context),
    session.access === 'all' ? readOutboxState(context, MAX_COUNTED_LEADS + 1) : undefined,
  ]);
  const { urgent, canceled, upcoming, undated } = start;
  const listedLeads = [...leads, ...urgent, ...canceled, ...upcoming, ...undated];
  const references = [...new Set(listedLeads.map(({ reference }) => reference))];
  const [details, dueFacts, namedStates, answered] = await Promise.all([
    describeRows(references, context),
    describeDeadlines(references, context),
    readNamedStates(listedLeads, context),
    findAnsweredQuestions(leads, context),
  ]);
  function stateOf({ reference, status }: LeadSummary): DisplayedState {
    const state = namedStates.get(reference) ?? status;
    return state !== 'canceled' && answered.has(reference) ? 'answered' : state;
  }
  const notifiesProviders = context.channels?.length !== 0;
  const withDetails = (lead: LeadSummary) => ({
    ...lead,
    // Without a channel, no notification is sent, so none can fail; the operator's inbox says so
    // once.
    undelivered: lead.undelivered && notifiesProviders,
    state: stateOf(lead),
    details: details.get(lead.reference) ?? '',
    due: [
      ...(dueFacts.get(lead.reference) ?? []),
      ...start.facts.flatMap(([reference, fact]) => (reference === lead.reference ? [fact] : [])),
    ],
  });
  return {
    kind: 'inbox',
    session,
    leads: leads.map(withDetails),
    urgent: urgent.map(withDetails),
    moreDue: start.moreDue,
    moreToCall: start.moreToCall,
    canceled: canceled.map(withDetails),
    upcoming: upcoming.map(withDetails),
    undated: undated.map(withDetails),
    notFound: choices.found?.join() === '',
    ...(outbox && { outbox }),
    notifiesProviders,
    isCustomerEmailEnabled: context.isCustomerEmailEnabled === true,
    maxCounted: MAX_COUNTED_LEADS,
    filter: choices.filter,
    services,
    statuses: filterStates,
    ageLimits: [...ageLimits.keys()],
    ...(newer && { newer: createPageLink(newer, choices) }),
    ...(older && { older: createPageLink(older, choices) }),
  };
}
