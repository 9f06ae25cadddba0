import { type Command, InvalidArgumentError, Option } from 'commander';
import { leadStatuses, type LeadStatus } from '../../operations/index.ts';
import type { LeadFilter } from '../../operations/lead-records.ts';

/** Prints lines for people, or one value for programs. */
export type Print = (lines: readonly string[], value: unknown) => void;

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time: a date, or so long ago. */
export function readTime(text: string): string {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count) return new Date(Date.now() - Number(count) * units[unit!]!).toISOString();
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : undefined;
  if (!time || Number.isNaN(time.getTime())) throw new InvalidArgumentError('Write a date such as 2027-01-31, or an age such as 30m, 2h or 7d.');
  return time.toISOString();
}

/** A whole number of one or more. */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('Write a whole number, 1 or more.');
  return Number(text);
}

export interface FilterOptions {
  state?: LeadStatus[];
  subsite?: string;
  action?: string;
  newer?: string;
  older?: string;
  since?: string;
  before?: string;
  undelivered?: boolean;
}

/** The options that choose leads. */
export const withFilter = (command: Command): Command =>
  command
    .addOption(new Option('--state <state...>', 'in one of these states').choices(leadStatuses))
    .option('--subsite <name>', 'of this subsite')
    .option('--action <verb>', 'of this action')
    .option('--newer <age>', 'filed so long ago or later, for example 2h', readTime)
    .option('--older <age>', 'filed longer ago, for example 7d', readTime)
    .option('--since <date>', 'filed on this day or later', readTime)
    .option('--before <date>', 'filed before this day', readTime)
    .option('--undelivered', 'that somebody is still to be told of, that were given up, or that no address is set for');

/** What those options mean; of two limits to the same side, the narrower one counts. */
export function filterOf({ state, subsite, action, newer, older, since, before, undelivered }: FilterOptions): LeadFilter {
  return { statuses: state, subsite, action, since: [newer, since].filter((time) => time !== undefined).sort().at(-1), before: [older, before].filter((time) => time !== undefined).sort()[0], undelivered };
}
