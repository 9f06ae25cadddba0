import { missedCallCalculator as text } from '../../text/index.ts';
import { CURRENCY } from '../../site/prices/currency.ts';
import { getNumberFormat } from '../../site/words/formats.ts';
import { formatMoney } from '../../site/words/words.ts';

const { numbers, steps } = text;

/** The calculator's five inputs. Percentages range from 0 to 100. */
export const missedCallInputs = [
  { name: 'calls', ...numbers.calls, most: 100_000, example: 40 },
  { name: 'missed', ...numbers.missed, most: 100, example: 20 },
  { name: 'lost', ...numbers.lost, most: 100, example: 60 },
  { name: 'booked', ...numbers.booked, most: 100, example: 30 },
  { name: 'value', ...numbers.value, most: 1_000_000, example: 250 },
] as const;

export type MissedCallInputName = (typeof missedCallInputs)[number]['name'];
export type MissedCallAnswers = Readonly<Record<MissedCallInputName, number>>;

/** One line of the calculation: its name, its formula with numbers, and its result. */
export interface Step {
  label: string;
  sum: string;
  result: number;
  isMoney: boolean;
}

const WEEKS_PER_YEAR = 52;
const MONTHS_PER_YEAR = 12;

const formatCount = (count: number): string =>
  getNumberFormat({ maximumFractionDigits: 2 }).format(count);
const formatDollars = (amount: number): string => formatMoney(amount, CURRENCY);

/** Formats a result with at most two decimal places. */
export const formatResult = ({ result, isMoney }: Pick<Step, 'result' | 'isMoney'>): string =>
  (isMoney ? formatDollars : formatCount)(result);

/** The possible cost of missed calls, line by line, as on the page. */
export function computeMissedCallCost({
  calls,
  missed,
  lost,
  booked,
  value,
}: MissedCallAnswers): Step[] {
  const missedCalls = (calls * missed) / 100;
  const lostCallers = (missedCalls * lost) / 100;
  const jobs = (lostCallers * booked) / 100;
  const weeklyRevenue = jobs * value;
  const [a, b, c] = [missedCalls, lostCallers, jobs].map(formatCount);
  return [
    {
      label: steps.missed,
      sum: `${formatCount(calls)} × ${formatCount(missed)} ÷ 100`,
      result: missedCalls,
      isMoney: false,
    },
    {
      label: steps.lost,
      sum: `${a} × ${formatCount(lost)} ÷ 100`,
      result: lostCallers,
      isMoney: false,
    },
    {
      label: steps.jobs,
      sum: `${b} × ${formatCount(booked)} ÷ 100`,
      result: jobs,
      isMoney: false,
    },
    {
      label: steps.week,
      sum: `${c} × ${formatDollars(value)}`,
      result: weeklyRevenue,
      isMoney: true,
    },
    {
      label: steps.month,
      sum: `${formatDollars(weeklyRevenue)} × ${WEEKS_PER_YEAR} ÷ ${MONTHS_PER_YEAR}`,
      result: (weeklyRevenue * WEEKS_PER_YEAR) / MONTHS_PER_YEAR,
      isMoney: true,
    },
    {
      label: steps.year,
      sum: `${formatDollars(weeklyRevenue)} × ${WEEKS_PER_YEAR}`,
      result: weeklyRevenue * WEEKS_PER_YEAR,
      isMoney: true,
    },
  ];
}

/** The numbers of the worked example. */
export const exampleAnswers = Object.fromEntries(
  missedCallInputs.map(({ name, example }) => [name, example]),
) as MissedCallAnswers;
