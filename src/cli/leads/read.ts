import { createProviderChannels } from '../../leads/deliveries/index.ts';
import {
  computeAnswerFigures,
  countWaitingLeads,
  type AnswerFigures,
  selectPublishedFigures,
} from '../../leads/lists/lead-statistics.ts';
import { readLog } from '../../leads/lead-log.ts';
import { findAnsweredQuestions, isAnsweredQuestion } from '../../leads/lists/answered-questions.ts';
import { readLead } from '../../leads/lists/lead-records.ts';
import { listWaitingLeads } from '../../leads/lists/next-leads.ts';
import {
  findReferenceByGroups,
  MAX_SEARCHED_LEADS,
  searchLeads,
} from '../../leads/lists/search-leads.ts';
import { listLeads } from '../../leads/lists/list-leads.ts';
import { listDemand } from '../../leads/lists/list-demand.ts';
import { findNextAnswerDue } from '../../leads/status/promised-answer.ts';
import { shownTermsOf } from '../../leads/status/shown-terms.ts';
import { describeTerms } from '../../leads/status/describe-terms.ts';
import { formatDueTime } from '../../site/words/words.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import { readOutboxState } from '../../leads/deliveries/outbox-state.ts';
import { listUnsentMessages } from '../../leads/deliveries/unsent-messages.ts';
import { MIN_LEADS_FOR_FIGURE } from '../../site/calendar/responsiveness.ts';
import type { CommandLine } from '../command-line.ts';
import { type Printer, withExamples } from '../output.ts';
import { writeFileAtomically } from '../file-errors.ts';
import { toInstant } from '../dates.ts';
import { withContext } from '../with-context.ts';
import {
  createLeadFilter,
  type FilterOptions,
  parseCount,
  parseTime,
  TIME_TEXT,
  addFilterOptions,
} from './options.ts';
import { formatTimestamp } from '../dates.ts';
import { formatSummary, describeLead, withoutControlCodes } from './describe-lead.ts';
import { softwareLocale } from '../../language.ts';

const formatFigures = (name: string, { of, answered, medianMinutes }: AnswerFigures): string =>
  `${name}: ${of ? `${answered} of ${of} answered (${Math.round((100 * answered) / of)}%)` : 'none answered or past the first deadline yet'}${medianMinutes === null ? '' : `, median ${formatQuantity(medianMinutes, 'minute')}`}`;

/**
 * The first `limit` of `leads`, which contains one more lead if there are more matches. In that
 * case, says so on standard error, because standard output may be JSON.
 */
function takeAtMost<Lead>(limit: number, leads: readonly Lead[]): Lead[] {
  if (leads.length > limit)
    process.stderr.write(
      `${limit === 1 ? 'This is only the first lead' : `These are only the first ${limit} leads`}. Use a larger --limit for more.\n`,
    );
  return leads.slice(0, limit);
}

function addListCommand(program: CommandLine, print: Printer): void {
  withExamples(
    addFilterOptions(program.command('list')),
    'npm run leads -- list --state new --older 2h',
    'npm run leads -- list --undelivered',
    'npm run leads -- list dana@example.com',
    'npm run leads -- list Garcia',
    'npm run leads -- list AFVP',
    'npm run -s leads -- list --json --since 2027-01-01 | jq',
  )
    .description(
      'lists leads, newest first; with --waiting, the most urgent first, with the time left; times are in the network’s time zone, or in UTC with --json',
    )
    .argument(
      '[wanted]',
      `a reference or groups of four characters from it, a receipt token, or the name, email address or phone number of a contact; a part of a name, address or number is searched for in the newest ${MAX_SEARCHED_LEADS.toLocaleString(softwareLocale)} leads`,
    )
    .option('--limit <count>', 'maximum number of leads', parseCount, 50)
    .addUsageCheck(({ limit: _, ...options }: FilterOptions & { limit: number }, args) =>
      args.length && Object.keys(options).length
        ? ['Use either a lead or contact, or filter options, not both.']
        : [],
    )
    .action(
      (query: string | undefined, { limit, ...options }: FilterOptions & { limit: number }) => {
        return withContext(async (context) => {
          const { timeZone } = context.site.registry.network;
          if (options.waiting) {
            const now = context.now();
            const filter = await createLeadFilter(options, context);
            const waitingLeads = takeAtMost(
              limit,
              await listWaitingLeads(filter, limit + 1, context),
            );
            print(
              waitingLeads.length
                ? waitingLeads.map(
                    (lead) =>
                      `${formatSummary(lead, timeZone)}  ${formatDueTime(lead.dueAt, now)}, ${formatTimestamp(lead.dueAt, timeZone)}`,
                  )
                : ['No leads match.'],
              waitingLeads.map((lead) => ({
                ...lead,
                overdue: Date.parse(lead.dueAt) < now.getTime(),
              })),
            );
            return;
          }
          const leads = takeAtMost(
            limit,
            query === undefined
              ? await listLeads(
                  await createLeadFilter(options, context),
                  { limit: limit + 1 },
                  context,
                )
              : await searchLeads(query, limit + 1, 'all', context),
          );
          const noMatchText =
            query === undefined
              ? 'No leads match.'
              : `No leads match. To find a reference, use its groups of four characters, such as AFVP. Parts of names, phone numbers and email addresses are searched for in the newest ${MAX_SEARCHED_LEADS.toLocaleString(softwareLocale)} leads.`;
          const answered = await findAnsweredQuestions(leads, context);
          print(
            leads.length
              ? leads.map((lead) => formatSummary(lead, timeZone, answered.has(lead.reference)))
              : [noMatchText],
            leads,
          );
        });
      },
    );
}

function addShowCommand(program: CommandLine, print: Printer): void {
  withExamples(program.command('show'), 'npm run leads -- show 7QCW-BNA8-E7EL-AFVP')
    .description('shows a lead with its content, history and deliveries')
    .argument(
      '<lead>',
      'reference (or enough of its groups of four characters to be unique), receipt token, or event ID from the log',
    )
    .action((reference: string) =>
      withContext(async (context, settings) => {
        const wanted = (await findReferenceByGroups(reference, context)) ?? reference;
        const lead = await readLead(wanted, 'all', context);
        const log = lead.status === 'erased' ? undefined : await readLog(lead.token, context);
        const terms = log ? shownTermsOf(log, context.now(), context.site) : {};
        const nextAnswerDue = log && findNextAnswerDue(log, context.site.registry);
        const { price } = terms;
        const channels = createProviderChannels(settings, context).map(({ name }) => name);
        const unsent = await listUnsentMessages(lead, { ...context, channels });
        const priceTerms = describeTerms(terms, context.site);
        const { timeZone } = context.site.registry.network;
        const isAnswered = log !== undefined && isAnsweredQuestion(context.site.registry, log);
        print(describeLead(lead, priceTerms, nextAnswerDue, unsent, timeZone, isAnswered), {
          ...lead,
          ...(price && { price }),
          unsent,
        });
      }),
    );
}

function addStatsCommand(program: CommandLine, print: Printer): void {
  withExamples(
    program.command('stats'),
    'npm run leads -- stats --since 30d',
    'npm run leads -- stats --export registry/responsiveness.json',
  )
    .description(
      'shows answer times, undelivered messages and unmet demand; a lead counts once it is answered or its deadline has passed',
    )
    .option(
      '--since <date>',
      `only leads created on or after ${TIME_TEXT}; default: the last 365 days`,
      parseTime,
    )
    .option(
      '--export <file>',
      `write the figures for subsites with at least ${MIN_LEADS_FOR_FIGURE} leads to a file, for publication`,
    )
    .action(({ since = parseTime('365d'), export: file }: { since?: string; export?: string }) =>
      withContext(async (context, settings) => {
        const channels = createProviderChannels(settings, context).map(({ name }) => name);
        const [{ all, bySubsite }, waiting, outbox, demand] = await Promise.all([
          computeAnswerFigures({ since: toInstant(since, context.site).toISOString() }, context),
          countWaitingLeads(context),
          readOutboxState({ ...context, ...(channels.length && { channels }) }),
          listDemand(context.database, 1_000),
        ]);
        const published = selectPublishedFigures(bySubsite);
        if (file !== undefined)
          await writeFileAtomically(file, `${JSON.stringify(published, null, 2)}\n`);
        const unmetCount = demand.reduce((sum, { count }) => sum + count, 0);
        print(
          [
            formatFigures('All leads', all),
            ...Object.entries(bySubsite).map(([name, of]) => `  ${formatFigures(name, of)}`),
            `Waiting for an answer: ${formatQuantity(waiting, 'lead')}${waiting ? '; npm run leads -- list --waiting lists them' : ''}`,
            `Messages to providers: ${outbox.undelivered} not delivered yet${outbox.undelivered ? `, the oldest for ${formatQuantity(Math.round(outbox.oldestSeconds / 60), 'minute')}` : ''}; ${outbox.givenUp} failed for good; ${outbox.unaddressed} without an address`,
            `Emails to customers: ${outbox.personMail.undelivered} waiting or failed${context.isCustomerEmailEnabled ? '' : '; none are sent unless SMTP_URL and MAIL_FROM are set for the server'}`,
            `Unmet demand: ${formatQuantity(unmetCount, 'question')} about ${formatQuantity(demand.length, 'topic')}; npm run leads -- demand lists them`,
            ...(file === undefined
              ? []
              : [
                  `Wrote the figures for ${formatQuantity(Object.keys(published).length, 'subsite')}. A subsite needs at least ${MIN_LEADS_FOR_FIGURE} leads, answered or not.`,
                ]),
          ],
          {
            all,
            bySubsite,
            waiting,
            outbox,
            unmetDemand: { questions: unmetCount, topics: demand.length },
            ...(file !== undefined && { published }),
          },
        );
      }),
    );
}

function addDemandCommand(program: CommandLine, print: Printer): void {
  withExamples(program.command('demand'), 'npm run leads -- demand --limit 10')
    .description(
      'lists the questions to company.assist that published knowledge did not answer, most frequent first',
    )
    .option('--limit <count>', 'maximum number of topics', parseCount, 50)
    .action(({ limit }: { limit: number }) =>
      withContext(async (context) => {
        const demand = await listDemand(context.database, limit);
        print(
          demand.length
            ? demand.map(({ count, topic, last, question }) =>
                withoutControlCodes(
                  `${String(count).padStart(5)}  ${topic}  (last ${formatTimestamp(last, context.site.registry.network.timeZone)}: ${question.slice(0, 120).replaceAll('\n', ' ')})`,
                ),
              )
            : ['No unmet demand.'],
          demand,
        );
      }),
    );
}

export function addReadCommands(program: CommandLine, print: Printer): void {
  for (const add of [addListCommand, addShowCommand, addStatsCommand, addDemandCommand])
    add(program, print);
}
