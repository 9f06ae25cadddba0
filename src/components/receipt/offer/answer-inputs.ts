import type { ShownTerms } from '../../../leads/status/shown-terms.ts';
import { fill } from '../../../text/fill.ts';
import {
  acceptedOffer,
  cancellation,
  offerInputs as text,
  visitInputs,
} from '../../../text/index.ts';

type PriceTerms = Pick<ShownTerms, 'salesTaxPercent' | 'providerMayPay' | 'isMonthly'>;

/**
 * The label of an offer's price: who pays it, unless the form asks for that; whether it is monthly;
 * and whether sales tax is added.
 */
export const priceLabelOf = ({
  salesTaxPercent,
  providerMayPay,
  isMonthly,
}: PriceTerms): string => {
  if (isMonthly) return text.monthlyPrice;
  if (salesTaxPercent !== undefined) return text.priceBeforeTax;
  return providerMayPay ? text.price : text.customerPrice;
};

/** Inputs of an offer or a confirmation in the order of the form, and their labels. */
const createLabels = (terms: PriceTerms) => {
  const price = priceLabelOf(terms);
  return {
    item: text.item,
    from: text.from,
    to: text.to,
    payer: text.payer,
    amount: price,
    // The checkbox below an unlikely price belongs to the price.
    checkedAmount: price,
    currency: text.currency,
    description: text.description,
    expires: text.openFor,
    accepted: acceptedOffer.box,
  };
};

/** Hints about the message that goes with an offer, one sentence or more each. */
export const listOfferNoteHints = ({
  promiseWithoutHold,
  openNote,
}: Pick<ShownTerms, 'promiseWithoutHold' | 'openNote'>): string[] => [
  ...(promiseWithoutHold?.isVisit ? [text.visitTime] : []),
  ...(openNote === undefined ? [] : [fill(text.replacedNote, { note: openNote })]),
];

/**
 * The inputs of an offer, followed by the text input and the box to cancel, each with its ID and
 * label.
 */
export const createAnswerInputs = (
  textLabel: string,
  terms: PriceTerms & Pick<ShownTerms, 'promiseWithoutHold'>,
) => [
  ...Object.entries(createLabels(terms)).map(([name, label]) => ({
    name,
    id: name === 'checkedAmount' ? 'amount' : name,
    label,
  })),
  { name: 'visitDay', id: 'visitDay', label: visitInputs.dayLabel },
  { name: 'visitTime', id: 'visitTime', label: visitInputs.timeLabel },
  // The checkboxes below a day belong to it.
  { name: 'checkedTime', id: 'visitDay', label: visitInputs.dayLabel },
  terms.promiseWithoutHold?.isVisit
    ? { name: 'checkedDays', id: 'visitDay', label: visitInputs.dayLabel }
    : { name: 'checkedDays', id: 'to', label: text.to },
  { name: 'text', id: 'note', label: textLabel },
  { name: 'sure', id: 'sure', label: cancellation.box },
];
