import { missedCallCalculator as text } from '../../text/index.ts';
import { locale } from '../../language.ts';

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

const countFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const dollarFormat = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 0,
  maximumFractionDigits: 2,
});

/** Formats a result with at most two decimal places. */
export const formatResult = ({ result, isMoney }: Pick<Step, 'result' | 'isMoney'>): string =>
  (isMoney ? dollarFormat : countFormat).format(result);

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
  const [a, b, c] = [missedCalls, lostCallers, jobs].map((number) => countFormat.format(number));
  return [
    {
      label: steps.missed,
      sum: `${countFormat.format(calls)} × ${countFormat.format(missed)} ÷ 100`,
      result: missedCalls,
      isMoney: false,
    },
    {
      label: steps.lost,
      sum: `${a} × ${countFormat.format(lost)} ÷ 100`,
      result: lostCallers,
      isMoney: false,
    },
    {
      label: steps.jobs,
      sum: `${b} × ${countFormat.format(booked)} ÷ 100`,
      result: jobs,
      isMoney: false,
    },
    {
      label: steps.week,
      sum: `${c} × ${dollarFormat.format(value)}`,
      result: weeklyRevenue,
      isMoney: true,
    },
    {
      label: steps.month,
      sum: `${dollarFormat.format(weeklyRevenue)} × ${WEEKS_PER_YEAR} ÷ ${MONTHS_PER_YEAR}`,
      result: (weeklyRevenue * WEEKS_PER_YEAR) / MONTHS_PER_YEAR,
      isMoney: true,
    },
    {
      label: steps.year,
      sum: `${dollarFormat.format(weeklyRevenue)} × ${WEEKS_PER_YEAR}`,
      result: weeklyRevenue * WEEKS_PER_YEAR,
      isMoney: true,
    },
  ];
}

/** The numbers of the worked example. */
export const exampleAnswers = Object.fromEntries(
  missedCallInputs.map(({ name, example }) => [name, example]),
) as MissedCallAnswers;
