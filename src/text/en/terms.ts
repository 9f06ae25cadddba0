/** The terms of a request, as shown to the provider. */
export const shownTerms = {
  written: 'Message to the customer',
  agreed: 'Agreed price',
  before: 'Previously agreed price',
  ended: 'Offer that ended without being accepted',
  /** The last offer, if the customer declined it or did not accept it in time. */
  lapsed: { declined: 'Offer, declined by the customer', expired: 'Offer, expired' },
  sentAt: '{offer}, sent {at}',
  streetAddress: 'Street address',
  noStreetAddress: 'None in the request. Unless you have it already, ask for it.',
  total: 'Price that the customer saw',
  /** Prices that the customer’s program may not have shown. */
  published: 'Published price',
  withTax: 'With sales tax',
  totalWithTax: '{price}, {total} with sales tax',
  notes: 'About the price',
  salesTaxAdded: 'Sales tax ({percent} percent) is added.',
  minimumTerm: 'Shortest rental',
  publishedTerms: 'Published terms, unless the offer changes them',
  depositSentence: 'Deposit: {deposit}, refundable.',
  deposit: 'Deposit, refundable',
  heldUntil: 'Held for the customer until',
  storefront: 'Their storefront',
  warning: 'Warning to the customer',
} as const;

/** The lines of an offer in email to either side. */
export const mailedOffer = {
  price: 'Price',
  item: 'Offered',
  includes: 'Includes',
  openUntil: 'Open until',
  whenAccepted: 'After it is accepted',
  confirmedAtOnce: 'confirmed at once',
  youConfirm: 'you still have to confirm it',
  whenYouAccept: 'After you accept',
  requestConfirmedAtOnce: 'your request is confirmed at once',
  providerConfirms: '{provider} still has to confirm it',
} as const;

/** Sentences about the effects of a confirmation, before and after the provider sends it. */
export const confirmationPrice = {
  confirming: {
    /** For a request for specific days; precedes what it books. */
    unanswered:
      'The customer has written since: {messages} Confirming does not change the days. {otherDays}',
    quote: '“{message}”',
    offerOtherDays:
      'If they want different days, do not confirm: send an offer with those days instead.',
    requestOtherDays:
      'If they want different days, do not confirm: ask them to send a new request.',
    closed: 'Careful: you are closed on {days}. Confirming accepts the request anyway.',
    books: 'Books {booking}.',
    dated: 'Confirms {days}.',
    visit:
      'Say in your message when you will come. If you name no time, we tell the customer that the two of you will agree on one.',
    namedVisit:
      'The customer relies on the time that you wrote, “{text}”, unless your message names another.',
    noAddress:
      'The request has no street address. Unless you have it already, ask for it before you confirm.',
    nothing:
      'This books nothing and sets no price. The customer is only told that the request is confirmed. To answer a question, write to the customer instead.',
    onlyPriced:
      'This books nothing. The customer is told that the request is confirmed. To answer a question, write to the customer instead.',
    closes:
      'This books nothing and sets no price. The customer is told that their question has been answered. If you have not answered it yet, write the answer in your message.',
    agreed: 'Confirms the accepted offer: {price}.',
    published: 'Confirms at the published price: {price}.',
    withoutPrice: 'Confirms without a price.',
    /** Follows how the last offer ended. */
    offerAgain: 'To agree on its price, send the offer again.',
    instead:
      'Confirms at the published price: {price}. The open offer ({offer}) then ends without being accepted. If the customer accepted it by phone, check “{box}”.',
    unpriced:
      'Confirms without a price. The open offer ({offer}) then ends without being accepted. If the customer accepted it by phone, check “{box}”.',
    offersOther:
      'If the customer accepted your offer ({offer}) by phone, check “{box}”. If they want what they requested instead, check “{requested}”. Your offer then ends, and its price does not apply.',
  },
  confirmed: {
    /** For a request for specific days: a note about messages sent before the confirmation. */
    unanswered:
      'Before that, the customer had written: {messages} Confirming did not change the days. If they want other days, write to them now.',
    books: 'Booked: {booking}.',
    agreed: 'The request is confirmed as offered: {price}.',
    published: 'The request is confirmed at the published price: {price}.',
    instead:
      'The request is confirmed at the published price: {price}. The open offer ({offer}) has ended.',
    unpriced: 'The request is confirmed without a price. The open offer ({offer}) has ended.',
  },
} as const;

/** Texts for confirming the open offer after the customer accepted it by phone. */
export const acceptedOffer = {
  box: 'The customer accepted this offer by phone',
  offer: '{box}: {offer}',
  requested: 'The customer wants what they requested, not this offer',
  offersOther:
    'Your open offer is for a different item or other days. If the customer accepted it, check only “{box}”. If they want what they requested instead, check only “{requested}”.',
  onlyConfirms:
    'Only “Confirm” records what the customer decided about your offer. Choose it, or uncheck the box.',
  alreadyConfirmed:
    'The request is already confirmed, so no offer is open. Leave this out, and write the agreed price in the text instead.',
  noOpenOffer:
    'There is no open offer that the customer could have accepted. Leave this out, or send an offer first.',
} as const;
