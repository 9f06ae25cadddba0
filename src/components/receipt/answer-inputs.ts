import { offerInputs as text } from '../../text/index.ts';

/** The label of the price of an offer, to which sales tax may be added. */
export const priceLabelOf = (salesTaxPercent: number | undefined): string =>
  salesTaxPercent === undefined ? text.price : text.priceBeforeTax;

/** Inputs of an offer in the order of the form, and their labels. */
const createLabels = (salesTaxPercent: number | undefined) => {
  const price = priceLabelOf(salesTaxPercent);
  return {
    item: text.item,
    from: text.from,
    to: text.to,
    amount: price,
    // The checkbox below an unlikely price is part of the price.
    checkedAmount: price,
    currency: text.currency,
    description: text.description,
    expires: text.openFor,
  };
};

/** The inputs of an offer, followed by the text input, each with its ID and label. */
export const createAnswerInputs = (textLabel: string, salesTaxPercent: number | undefined) => [
  ...Object.entries(createLabels(salesTaxPercent)).map(([name, label]) => ({
    name,
    id: name === 'checkedAmount' ? 'amount' : name,
    label,
  })),
  { name: 'text', id: 'note', label: textLabel },
];
