import { randomUUID } from 'node:crypto';
import {
  closeInbox,
  type InboxSession,
  isOfSession,
  openInbox,
  readInboxSession,
} from '../../keys/inbox-session.ts';
import type { LeadReach } from '../../keys/key-scopes.ts';
import { readReach } from '../../leads/conversation/answer-lead.ts';
import { changeLead } from '../../leads/change-lead.ts';
import { providerActs, providerNextOf } from '../../leads/conversation/conversation.ts';
import { emergenciesAmong } from '../../leads/lists/emergencies.ts';
import {
  findLeads,
  listOfSamePerson,
  listToCall,
  listUrgent,
} from '../../leads/lists/find-leads.ts';
import { eraseLead } from '../../leads/erase/erase-lead.ts';
import { readLog } from '../../leads/lead-log.ts';
import { writtenIn } from '../../leads/status/lead-request.ts';
import { readLead, tokenOf } from '../../leads/lists/lead-records.ts';
import { leadStatuses, possibleStates } from '../../leads/lead-states.ts';
import { readOutboxState } from '../../leads/deliveries/outbox-state.ts';
import { type InboxPage, type InboxPlace, readInbox } from '../../leads/lists/read-inbox.ts';
import { sendAsProvider } from '../../leads/conversation/provider-message.ts';
import { redeliverLead } from '../../leads/deliveries/redeliver-leads.ts';
import { promisedAnswer } from '../../leads/status/promised-answer.ts';
import {
  confirmationInWords,
  offerStatesOf,
  shownTerms,
  termsInWords,
} from '../../leads/status/shown-terms.ts';
import { suspicionsInWords } from '../../leads/submit/suspicion.ts';
import type { Context } from '../../operation/context.ts';
import { Problem, type ProblemDetails } from '../../operation/problem.ts';
import type { Registry } from '../../site/registry.ts';
import { dueInWords } from '../../site/words/words.ts';
import type { Exchange } from '../exchange.ts';
import { inboxCookie, inboxCookieOf } from './inbox-cookie.ts';
import { type Page, seeOther } from './page.ts';
import { faultsByInput, type PagePost, providerBody, textOf } from './page-post.ts';
import type { InboxView, LeadView } from '../views.ts';

const HOME = '/inbox';
const HOUR = 3_600_000;
/** Maximum count of undelivered leads: a larger count takes longer and does not help the reader. */
const MAX_COUNTED = 1_000;
/** Ages to choose from, in hours. */
const ages: ReadonlyMap<string, number> = new Map([
  ['2 hours', 2],
  ['a day', 24],
  ['a week', 168],
]);

const sessionOf = ({ request }: Exchange, context: Context): Promise<InboxSession | undefined> =>
  readInboxSession(inboxCookieOf(request), context);

/**
 * Values of Sec-Fetch-Site for a request from a page of this site or from the address bar. Programs
 * do not send it.
 */
const isOwn = (request: Request): boolean =>
  ['same-origin', 'none', null].includes(request.headers.get('sec-fetch-site'));

/**
 * Authenticates a post. A form is accepted only from a page of this site and of the session;
 * without a session, only the sign-in form exists.
 * @throws {Problem} unauthorized
 */
async function senderOf(
  exchange: Exchange,
  post: PagePost,
  context: Context,
): Promise<InboxSession | undefined> {
  const session = await sessionOf(exchange, context);
  const trusted =
    isOwn(exchange.request) && (!session || isOfSession(textOf(post, 'form'), session));
  if (!trusted)
    throw new Problem(
      'unauthorized',
      'This form is not from your session. Open the page again and send it from there.',
    );
  return session;
}

/** The number of entries that the page of a form showed; undefined if it does not say. */
const revisionIn = (post: PagePost): number | undefined => {
  const text = textOf(post, 'revision');
  return text === undefined ? undefined : Number(text);
};

/** Search value for a person without any leads. */
const NOBODY = 'unknown';

/**
 * The URL of the search results. URLs are logged, so they must not contain an email address or a
 * phone number.
 */
async function placeOf(wanted: string, reach: LeadReach, context: Context): Promise<string> {
  const [first, second] = await findLeads(wanted, reach, context);
  return first && !second
    ? `${HOME}/${first.reference}`
    : `${HOME}?person=${first?.reference ?? NOBODY}`;
}

/** Services that a session can filter by. A key may refer to a deleted subsite. */
const servicesOf = (reach: LeadReach, { subsites }: Registry): { name: string; title: string }[] =>
  reach === 'all'
    ? subsites.map(({ name, title }) => ({ name, title }))
    : reach.map(
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
    const services = servicesOf(session.reach, registry);
    const subsite = query.get('subsite') || undefined;
    if (subsite !== undefined && !services.some(({ name }) => name === subsite))
      throw new Problem('not_found', 'Your inbox has no service of this name.');
    const reach = subsite === undefined ? session.reach : [subsite];
    const age = query.get('older') ?? '';
    const hours = ages.get(age);
    const undelivered = query.get('undelivered') === 'yes';
    const filter = {
      statuses: status && [status],
      subsites: reach === 'all' ? undefined : reach,
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
        : listOfSamePerson(person, reach, context).then((leads) => ({ leads }));
    const isFiltered = [...query.values()].some(Boolean);
    const [{ leads, newer, older }, urgent, unheard, outbox] = await Promise.all([
      page,
      isFiltered ? [] : listUrgent(reach, context),
      isFiltered ? [] : listToCall(reach, context),
      session.reach === 'all' ? readOutboxState(context, MAX_COUNTED + 1) : undefined,
    ]);
    const emergencies = await emergenciesAmong([...leads, ...urgent, ...unheard], context);
    const marked = <Lead extends { reference: string }>(lead: Lead) => ({
      ...lead,
      emergency: emergencies.has(lead.reference),
    });
    const chosen = {
      ...(status && { status }),
      ...(subsite && { subsite }),
      ...(hours && { older: age }),
    };
    const linkTo = ({ olderThan, newerThan }: InboxPlace) => {
      const search = new URLSearchParams({
        ...chosen,
        ...(undelivered && { undelivered: 'yes' }),
        ...(olderThan !== undefined && { olderThan }),
        ...(newerThan !== undefined && { newerThan }),
      });
      return `${HOME}?${search.toString()}`;
    };
    return {
      kind: 'inbox',
      session,
      leads: leads.map(marked),
      urgent: [
        ...urgent.map((lead) => ({ ...marked(lead), due: dueInWords(lead.dueAt, context.now()) })),
        ...unheard.map((lead) => ({ ...marked(lead), due: undefined })),
      ],
      notFound: person === NOBODY,
      ...(outbox && { outbox }),
      mostCounted: MAX_COUNTED,
      chosen,
      services,
      statuses: leadStatuses,
      ages: [...ages.keys()],
      ...(newer && { newer: linkTo(newer) }),
      ...(older && { older: linkTo(older) }),
    };
  }

  return {
    home: HOME,
    async show(exchange) {
      const session = await sessionOf(exchange, context);
      if (!session)
        throw new Problem('unauthorized', `Sign in at ${HOME} with a key of the scope inbox.`);
      return list(session, new URL(exchange.request.url).searchParams);
    },
    async submit(exchange, post) {
      const sender = await senderOf(exchange, post, context);
      const wanted = textOf(post, 'find');
      if (sender && wanted !== undefined)
        return seeOther(await placeOf(wanted, sender.reach, context));
      const isSignOut = Boolean(textOf(post, 'leave'));
      if (isSignOut) await closeInbox(inboxCookieOf(exchange.request), context);
      const session = isSignOut ? undefined : await openInbox(textOf(post, 'key') ?? '', context);
      return seeOther(HOME, { 'set-cookie': inboxCookie(session, base) });
    },
    showAgain: async ({ request }, refusal) => ({
      kind: 'sign-in',
      ...(request.method === 'POST' && { refusal }),
    }),
  };
}

/**
 * One lead in the inbox: its content, its history, and the available actions. A provider can answer
 * it; only the operator can notify the provider again, withdraw it for the customer, or erase it.
 */
export function inboxLeadPage(context: Context): Page {
  async function viewOf(
    exchange: Exchange,
    refusal?: ProblemDetails,
    post?: PagePost,
  ): Promise<LeadView | undefined> {
    const session = await sessionOf(exchange, context);
    if (!session) return undefined;
    const lead = await readLead(exchange.params['reference']!, session.reach, context);
    const isOperator = session.reach === 'all';
    const log = lead.status === 'erased' ? undefined : await readLog(lead.token, context);
    const shown = log ? shownTerms(log, context.now(), context.site) : {};
    return {
      kind: 'lead',
      lead,
      written: writtenIn(context.site, { ...lead, contact: lead }),
      promised: log && promisedAnswer(log, context.site.registry),
      shown,
      offers: offerStatesOf(lead.history, shown),
      terms: termsInWords(shown, context.site),
      confirms: confirmationInWords(shown, 'confirming'),
      reach: log && (await readReach({ reference: lead.reference, log }, context)),
      revision: lead.history.length,
      formToken: session.formToken,
      formKey: randomUUID(),
      isOperator,
      next: [
        ...providerNextOf({ status: lead.status, revision: lead.history.length }),
        ...(isOperator && possibleStates(lead.status, 'operator').includes('withdrawn')
          ? (['withdraw'] as const)
          : []),
      ],
      suspicions: suspicionsInWords(lead.suspicions),
      typed: post?.kind === 'form' ? post.texts : {},
      faults: faultsByInput(refusal),
      ...(refusal && { refusal }),
    };
  }

  return {
    home: HOME,
    show: async (exchange) => (await viewOf(exchange)) ?? seeOther(HOME),
    async submit(exchange, post) {
      const sender = await senderOf(exchange, post, context);
      if (!sender) return seeOther(HOME);
      const reference = exchange.params['reference']!;
      const lead = await tokenOf(reference, sender.reach, context);
      const isOperator = sender.reach === 'all';
      const act = textOf(post, 'do');
      const sent = providerActs.find((name) => name === act);
      if (isOperator && act === 'redeliver') await redeliverLead(lead, context);
      else if (isOperator && act === 'erase' && textOf(post, 'sure'))
        await eraseLead(lead, 'operator', context);
      else if (isOperator && act === 'withdraw')
        await changeLead(
          { lead, to: 'withdrawn', actor: 'operator', note: textOf(post, 'text') },
          context,
        );
      else if (sent && post.kind === 'form')
        await sendAsProvider(
          {
            lead,
            act: sent,
            actor: isOperator ? 'operator' : 'provider',
            key: post.key,
            // A confirmation at one price must not become one at another.
            ...(sent === 'confirm' && { revision: revisionIn(post) }),
            from: 'page',
          },
          providerBody(post.texts, sent),
          context,
        );
      else throw new Problem('invalid_input', 'Choose what is to be done.');
      return seeOther(`${HOME}/${reference}`);
    },
    showAgain: viewOf,
  };
}
