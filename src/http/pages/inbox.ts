import { closeInbox, type InboxSession, openInbox } from '../../keys/inbox-session.ts';
import type { LeadAccess } from '../../keys/key-scopes.ts';
import { emergenciesAmong } from '../../leads/lists/emergencies.ts';
import {
  findLeads,
  listOfSamePerson,
  listToCall,
  listUrgent,
} from '../../leads/lists/find-leads.ts';
import { leadStatuses } from '../../leads/lead-states.ts';
import { readOutboxState } from '../../leads/deliveries/outbox-state.ts';
import { type InboxPage, type InboxCursor, readInbox } from '../../leads/lists/read-inbox.ts';
import type { Context } from '../../operation/context.ts';
import { Problem } from '../../operation/problem.ts';
import type { Registry } from '../../site/registry.ts';
import { dueInWords } from '../../site/words/words.ts';
import { inboxCookie, inboxCookieOf } from './inbox-cookie.ts';
import { type Page, seeOther } from './page.ts';
import { textOf } from './page-post.ts';
import type { InboxView } from '../views.ts';
import { INBOX, senderOf, sessionOf } from './inbox-session.ts';

const HOUR = 3_600_000;
/** Maximum count of undelivered leads to show: counting more takes longer and helps nobody. */
const MAX_COUNTED = 1_000;
/** Ages to choose from, in hours. */
const ages: ReadonlyMap<string, number> = new Map([
  ['2 hours', 2],
  ['a day', 24],
  ['a week', 168],
]);

/** Search value for a person without any leads. */
const NOBODY = 'unknown';

/**
 * The URL of the search results. URLs are logged, so they must not contain an email address or a
 * phone number.
 */
async function searchResultUrl(
  searchText: string,
  access: LeadAccess,
  context: Context,
): Promise<string> {
  const [first, second] = await findLeads(searchText, access, context);
  return first && !second
    ? `${INBOX}/${first.reference}`
    : `${INBOX}?person=${first?.reference ?? NOBODY}`;
}

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

/**
 * The inbox of the operator or of a provider: a sign-in with a key, then the leads that are due,
 * and every lead, newest first. No page links here.
 */
export function inboxPage(context: Context): Page {
  const { registry, base } = context.site;

  async function list(session: InboxSession, query: URLSearchParams): Promise<InboxView> {
    const status = leadStatuses.find((name) => name === query.get('status'));
    const services = servicesOf(session.access, registry);
    const subsite = query.get('subsite') || undefined;
    if (subsite !== undefined && !services.some(({ name }) => name === subsite))
      throw new Problem('not_found', 'Your inbox has no service with this name.');
    const access = subsite === undefined ? session.access : [subsite];
    const age = query.get('older') ?? '';
    const hours = ages.get(age);
    const undelivered = query.get('undelivered') === 'yes';
    const filter = {
      statuses: status && [status],
      subsites: access === 'all' ? undefined : access,
      before:
        hours === undefined
          ? undefined
          : new Date(context.now().getTime() - hours * HOUR).toISOString(),
      undelivered: undelivered || undefined,
    };
    const place = {
      olderThan: query.get('olderThan') ?? undefined,
      newerThan: query.get('newerThan') ?? undefined,
    };
    const person = query.get('person');
    const page: Promise<InboxPage> =
      person === null
        ? readInbox(filter, place, context)
        : listOfSamePerson(person, access, context).then((leads) => ({ leads }));
    const isFiltered = [...query.values()].some(Boolean);
    const [{ leads, newer, older }, urgent, toCall, outbox] = await Promise.all([
      page,
      isFiltered ? [] : listUrgent(access, context),
      isFiltered ? [] : listToCall(access, context),
      session.access === 'all' ? readOutboxState(context, MAX_COUNTED + 1) : undefined,
    ]);
    const emergencies = await emergenciesAmong([...leads, ...urgent, ...toCall], context);
    const withEmergency = <Lead extends { reference: string }>(lead: Lead) => ({
      ...lead,
      emergency: emergencies.has(lead.reference),
    });
    const chosen = {
      ...(status && { status }),
      ...(subsite && { subsite }),
      ...(hours && { older: age }),
    };
    const linkTo = ({ olderThan, newerThan }: InboxCursor) => {
      const search = new URLSearchParams({
        ...chosen,
        ...(undelivered && { undelivered: 'yes' }),
        ...(olderThan !== undefined && { olderThan }),
        ...(newerThan !== undefined && { newerThan }),
      });
      return `${INBOX}?${search.toString()}`;
    };
    return {
      kind: 'inbox',
      session,
      leads: leads.map(withEmergency),
      urgent: [
        ...urgent.map((lead) => ({
          ...withEmergency(lead),
          due: dueInWords(lead.dueAt, context.now()),
        })),
        ...toCall.map((lead) => ({ ...withEmergency(lead), due: undefined })),
      ],
      notFound: person === NOBODY,
      ...(outbox && { outbox }),
      maxCounted: MAX_COUNTED,
      filter: chosen,
      services,
      statuses: leadStatuses,
      ages: [...ages.keys()],
      ...(newer && { newer: linkTo(newer) }),
      ...(older && { older: linkTo(older) }),
    };
  }

  return {
    home: INBOX,
    async show(exchange) {
      const session = await sessionOf(exchange, context);
      if (!session)
        throw new Problem(
          'unauthorized',
          `Sign in at ${INBOX} with a key that has the scope inbox.`,
        );
      return list(session, new URL(exchange.request.url).searchParams);
    },
    async submit(exchange, post) {
      const sender = await senderOf(exchange, post, context);
      const searchText = textOf(post, 'find');
      if (sender && searchText !== undefined)
        return seeOther(await searchResultUrl(searchText, sender.access, context));
      const isSignOut = Boolean(textOf(post, 'leave'));
      if (isSignOut) await closeInbox(inboxCookieOf(exchange.request), context);
      const session = isSignOut ? undefined : await openInbox(textOf(post, 'key') ?? '', context);
      return seeOther(INBOX, { 'set-cookie': inboxCookie(session, base) });
    },
    showAgain: async ({ request }, refusal) => ({
      kind: 'sign-in',
      ...(request.method === 'POST' && { refusal }),
    }),
  };
}
