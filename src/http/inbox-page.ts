import {
  closeInbox,
  type InboxSession,
  isOfSession,
  openInbox,
  readInboxSession,
} from '../keys/inbox-session.ts';
import { answers } from '../leads/answer-link.ts';
import { changeLead, NOTE_LENGTH } from '../leads/change-lead.ts';
import { providerActs, providerNextOf } from '../leads/conversation.ts';
import { findLeads, listUrgent } from '../leads/find-leads.ts';
import { eraseLead } from '../leads/erase-lead.ts';
import { readLead, tokenOf } from '../leads/lead-records.ts';
import { leadStatuses, possibleStates } from '../leads/lead-states.ts';
import { INBOX_COUNT, type InboxPlace, readInbox, readInboxOfPerson } from '../leads/read-inbox.ts';
import { DESCRIPTION_LENGTH, sendAsProvider } from '../leads/provider-message.ts';
import { redeliverLead } from '../leads/redeliver-leads.ts';
import { suspicions } from '../leads/suspicion.ts';
import type { Context } from '../operation/context.ts';
import { Problem, type ProblemDetails } from '../operation/problem.ts';
import { findSubsite } from '../site/registry.ts';
import { dueInWords } from '../site/words.ts';
import type { Exchange } from './exchange.ts';
import { inboxCookie, inboxCookieOf } from './inbox-cookie.ts';
import { type Page, seeOther } from './page.ts';
import { type PagePost, providerBody, textOf } from './page-post.ts';
import type { InboxView, LeadView } from './views.ts';

const HOME = '/inbox';
const HOUR = 3_600_000;
/** Ages to choose from, in hours. */
const ages: ReadonlyMap<string, number> = new Map([
  ['2 hours', 2],
  ['a day', 24],
  ['a week', 168],
]);

const sessionOf = ({ request }: Exchange, context: Context): Promise<InboxSession | undefined> =>
  readInboxSession(inboxCookieOf(request), context);

/** What a browser says of a request that a page of this site sent, or that came of an address typed in. Programs say nothing. */
const isOwn = (request: Request): boolean =>
  ['same-origin', 'none', null].includes(request.headers.get('sec-fetch-site'));

/**
 * Who posts. A form counts only where a page of this site sent it, and where there is a session, a page of that session;
 * without one there is nothing but the sign-in form that a form could do.
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

/** Stands for the person whom nothing was found of. */
const NOBODY = 'unknown';

/** Where what was searched for is shown. No address holds an email address or a phone number: addresses are logged. */
async function placeOf(wanted: string, context: Context): Promise<string> {
  const [first, second] = await findLeads(wanted, context);
  return first && !second
    ? `${HOME}/${first.reference}`
    : `${HOME}?person=${first?.reference ?? NOBODY}`;
}

/** The operator’s inbox: sign in with a key, then what is due, and every lead, newest first. No page leads here. */
export function inboxPage(context: Context): Page {
  const { registry, base } = context.site;

  async function list(session: InboxSession, query: URLSearchParams): Promise<InboxView> {
    const status = leadStatuses.find((name) => name === query.get('status'));
    const subsite = findSubsite(registry, query.get('subsite') ?? '')?.name;
    const age = query.get('older') ?? '';
    const hours = ages.get(age);
    const undelivered = query.get('untold') === 'yes';
    const filter = {
      statuses: status && [status],
      subsite,
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
    const [{ leads, outbox, newer, older }, urgent] = await Promise.all([
      person === null ? readInbox(filter, place, context) : readInboxOfPerson(person, context),
      [...query.values()].some(Boolean) ? [] : listUrgent(context),
    ]);
    const chosen = {
      ...(status && { status }),
      ...(subsite && { subsite }),
      ...(hours && { older: age }),
    };
    const linkTo = ({ olderThan, newerThan }: InboxPlace) => {
      const search = new URLSearchParams({
        ...chosen,
        ...(undelivered && { untold: 'yes' }),
        ...(olderThan !== undefined && { olderThan }),
        ...(newerThan !== undefined && { newerThan }),
      });
      return `${HOME}?${search.toString()}`;
    };
    return {
      kind: 'inbox',
      session,
      leads,
      urgent: urgent.map((lead) => ({ ...lead, due: dueInWords(lead.respondBy, context.now()) })),
      notFound: person === NOBODY,
      outbox,
      mostCounted: INBOX_COUNT,
      chosen,
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
      return session
        ? list(session, new URL(exchange.request.url).searchParams)
        : { kind: 'sign-in' };
    },
    async submit(exchange, post) {
      const sender = await senderOf(exchange, post, context);
      const wanted = textOf(post, 'find');
      if (sender && wanted !== undefined) return seeOther(await placeOf(wanted, context));
      const leaves = Boolean(textOf(post, 'leave'));
      if (leaves) await closeInbox(inboxCookieOf(exchange.request), context);
      const session = leaves ? undefined : await openInbox(textOf(post, 'key') ?? '', context);
      return seeOther(HOME, { 'set-cookie': inboxCookie(session, base) });
    },
    showAgain: async (_, refusal) => ({ kind: 'sign-in', refusal }),
  };
}

/** One lead in the operator’s inbox: what was written, what became of it, and what can be done. */
export function inboxLeadPage(context: Context): Page {
  async function viewOf(
    exchange: Exchange,
    refusal?: ProblemDetails,
    post?: PagePost,
  ): Promise<LeadView | undefined> {
    const session = await sessionOf(exchange, context);
    if (!session) return undefined;
    const lead = await readLead(exchange.params['reference']!, context);
    return {
      kind: 'lead',
      lead,
      formToken: session.formToken,
      next: [
        ...providerNextOf({ status: lead.status, revision: lead.history.length }),
        ...(possibleStates(lead.status, 'operator').includes('withdrawn') ? ['withdraw'] : []),
      ],
      actTitles: Object.fromEntries(providerActs.map((act) => [act, answers[act].title] as const)),
      suspicions: lead.suspicions.map(
        (code) => (suspicions as Readonly<Record<string, string>>)[code] ?? code,
      ),
      typed: post?.kind === 'form' ? post.texts : {},
      noteLength: NOTE_LENGTH,
      descriptionLength: DESCRIPTION_LENGTH,
      ...(refusal && { refusal }),
    };
  }

  return {
    home: HOME,
    show: async (exchange) => (await viewOf(exchange)) ?? seeOther(HOME),
    async submit(exchange, post) {
      if (!(await senderOf(exchange, post, context))) return seeOther(HOME);
      const reference = exchange.params['reference']!;
      const lead = await tokenOf(reference, context);
      const act = textOf(post, 'do');
      const sent = providerActs.find((name) => name === act);
      if (act === 'redeliver') await redeliverLead(lead, context);
      else if (act === 'erase' && textOf(post, 'sure')) await eraseLead(lead, 'operator', context);
      else if (act === 'withdraw')
        await changeLead(
          { lead, to: 'withdrawn', actor: 'operator', note: textOf(post, 'text') },
          context,
        );
      else if (sent && post.kind === 'form')
        await sendAsProvider(
          { lead, act: sent, actor: 'operator' },
          providerBody(post.texts, sent),
          context,
        );
      else throw new Problem('invalid_input', 'Choose what is to be done.');
      return seeOther(`${HOME}/${reference}`);
    },
    showAgain: viewOf,
  };
}
