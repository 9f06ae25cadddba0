import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from '../../operation/context.ts';
import { leadStatuses, type LeadStatus } from '../../leads/lead-states.ts';
import type { InputFault } from '../../operation/problem.ts';
import { throwIfAnyFaults } from '../../operation/validate.ts';
import { listSiteActions } from '../../leads/submit/submit-action.ts';
import { listLeads } from '../../leads/lists/list-leads.ts';
import type { LeadFilter } from '../../leads/lists/select-leads.ts';
import { suggestNearest } from '../../site/corrections/similar-names.ts';
import { createCountParser } from '../command-line.ts';
import { DATE_RULE, isDateTime, toInstant } from '../dates.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../site/calendar/durations.ts';

const units: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Checks a time, and converts an age such as 24h; `toInstant` converts a date. */
export function parseTime(text: string): string {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count) return new Date(Date.now() - Number(count) * units[unit!]!).toISOString();
  if (!isDateTime(text))
    throw new InvalidArgumentError(`Use ${DATE_RULE}, or an age such as 30m, 2h or 7d.`);
  return text;
}

export const parseCount = createCountParser(9_999_999);

export interface FilterOptions {
  state?: LeadStatus[];
  subsite?: string;
  action?: string;
  newer?: string;
  older?: string;
  since?: string;
  before?: string;
  undelivered?: boolean;
  waiting?: boolean;
}

/** The accepted forms of a time limit, for help texts. */
export const TIME_TEXT =
  'this day in the network’s time zone, a time with its offset, or an age such as 2h';

export const addFilterOptions = <Line extends Command>(command: Line): Line =>
  command
    .addOption(new Option('--state <state...>', 'in one of these states').choices(leadStatuses))
    .option('--subsite <name>', 'of this subsite')
    .option('--action <verb>', 'of this action')
    .option(
      '--newer <age>',
      'created within this time, for example 2h, or since a date or time',
      parseTime,
    )
    .option(
      '--older <age>',
      'created longer ago, for example 7d, or before a date or time',
      parseTime,
    )
    .option('--since <date>', `created on or after ${TIME_TEXT}`, parseTime)
    .option('--before <date>', `created before ${TIME_TEXT}`, parseTime)
    .option('--waiting', 'that wait for an answer from the provider')
    .option(
      '--undelivered',
      'with a message to the provider or customer that is pending, has failed, or has no address',
    );

/**
 * Converts the options to a filter. If an age and a date conflict, the stricter limit applies.
 * @throws {Problem} invalid_input, with all faults, for an unknown name or an empty period
 */
export async function createLeadFilter(
  { state, subsite, action, newer, older, since, before, undelivered, waiting }: FilterOptions,
  context: Context,
): Promise<LeadFilter> {
  // Old leads may name an action or a subsite whose record was removed.
  const isExistingName = async (filter: LeadFilter, names: readonly string[]) =>
    names.includes(filter.subsites?.[0] ?? filter.action ?? '') ||
    (await listLeads(filter, { limit: 1 }, context)).length > 0;
  const errors: InputFault[] = [];
  const checkName = async (
    option: string,
    name: string | undefined,
    filter: LeadFilter,
    names: () => readonly string[],
  ) => {
    if (name !== undefined && !(await isExistingName(filter, names())))
      errors.push({
        pointer: `/${option}`,
        message: `no such ${option}.${suggestNearest(name, names()) || ` Use one of ${names().join(', ')}.`}`,
      });
  };
  const subsites = subsite === undefined ? undefined : [subsite];
  await checkName('subsite', subsite, { subsites }, () =>
    context.site.registry.subsites.map((other) => other.name),
  );
  await checkName('action', action, { action }, () => [
    ...new Set(listSiteActions(context.site.registry).map((other) => other.action.verb)),
  ]);
  const listTimes = (...times: readonly (string | undefined)[]) =>
    times
      .flatMap((time) => (time === undefined ? [] : [toInstant(time, context.site).toISOString()]))
      .sort();
  const [from, until] = [listTimes(newer, since).at(-1), listTimes(older, before)[0]];
  if (from !== undefined && until !== undefined && from >= until)
    errors.push({
      pointer: '',
      message: `The period is empty: ${from} is not before ${until}. Use an earlier --since or a later --before; with ages, a longer --newer or a shorter --older.`,
    });
  throwIfAnyFaults(errors);
  return {
    statuses: state,
    subsites,
    action,
    since: from,
    before: until,
    undelivered,
    waiting,
  };
}
