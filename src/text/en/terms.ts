/** The terms of a request, for the provider. */
export const shownTerms = {
  written: 'What you wrote for it',
  agreed: 'Agreed price',
  before: 'Previously agreed price',
  ended: 'Offer that ended without being accepted',
  total: 'Price that the customer saw',
  withTax: 'With sales tax',
  totalWithTax: '{price}, {total} with sales tax',
  notes: 'About the price',
  publishedTerms: 'Published terms, unless the offer changes them',
  depositSentence: 'Deposit: {deposit}, refundable.',
  deposit: 'Deposit, refundable',
  heldUntil: 'Held for the customer until',
  storefront: 'Their storefront',
  warning: 'Warning',
} as const;

/** The lines of an offer in email to either side. */
export const mailedOffer = {
  price: 'Price',
  item: 'Offered',
  includes: 'Includes',
  openUntil: 'Open until',
  whenAccepted: 'When accepted',
  confirmedAtOnce: 'confirmed at once',
  youConfirm: 'you confirm it',
  whenYouAccept: 'When you accept',
  requestConfirmedAtOnce: 'your request is confirmed at once',
  providerConfirms: '{provider} confirms it',
} as const;
