/** The page where a provider answers a lead by following a link. */
export const answer = {
  title: '{answer}: {request}',
  description: 'Answer a request.',
  service: 'Service',
  received: 'Received',
  reference: 'Reference',
  unsure: 'We cannot tell whether your answer was saved.',
  unchanged: 'Nothing was changed.',
  customer: 'The customer',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  emergency: 'Emergency',
  written: 'Request',
  terms: 'What the customer saw',
  freeData: 'Also sent with this request',
  unsent: 'Your text was not sent',
  alreadySent: 'You already sent this message, so it was not sent again.',
  sentBefore: 'This link was used {at}, for “{answer}”. Nothing was sent again.',
  outdated: 'This link is out of date: {change}.',
  since: 'The request is now “{state}”. The latest update came from {author}, {at}.',
  /** For a link that is out of date because the customer has written since. */
  customerWrote: 'the customer has written since then',
  messageWritten: {
    provider: 'you have written a message since then',
    operator: 'the operator has written a message since then',
  },
  newMessage: 'The customer wrote:',
  /**
   * The page of an answer link never shows other answer links, because its visitor may have found
   * the link in a forwarded email.
   */
  answerAgain:
    'To send something else, open our latest email about this request or, if you have an inbox key, the {inbox}.',
  inbox: 'inbox',
  /** Follows the description of an acknowledgment. */
  stillPromised: 'The customer still expects an answer by {deadline}.',
  /** Follows the description of declining a request that created a web page. */
  webPageEnds: 'The customer’s web page is taken down at once.',
  canceledByYou: 'Canceled by you',
  about: 'About this request',
  ended: 'This request needs no further answer.',
  openQuestion:
    'The customer has not answered your question yet. To make an offer or confirm anyway, for example because they answered by phone, first choose “Continue without the answer”.',
  /** Follows the sentences about an open question, depending on whether an item is held. */
  questionOpen: 'There is no deadline for their answer.',
  questionHold: 'Your hold for them ends {until}, unless you confirm first.',
} as const;

/** What happens to an open request if nobody does anything, as shown to the provider. */
export const idleOutcomes = {
  expires: 'If nobody answers by {until}, the request expires.',
  expiresWithHold: 'If nobody answers by {until}, the request and its hold expire.',
  offer:
    'If the customer does not accept your offer by {until}, it expires, and there is no agreement.',
  accepted: 'Until you confirm, nothing is booked, and the request stays open.',
  held: 'If you do not confirm by {until}, the hold ends, and nothing is booked.',
  open: 'If you do nothing, the request stays open, and there is no agreement.',
} as const;

/** How the provider's last offer ended if it was not accepted, as shown to the provider. */
export const lapsedOffers = {
  declined: 'The customer declined your offer ({offer}).',
  expired: 'Your offer ({offer}) has expired.',
} as const;

/** The author of the latest event, as shown to the provider and the operator. */
export const updateAuthors = {
  person: 'the customer',
  provider: 'you',
  operator: 'the operator',
  system: 'the service',
} as const;

/** The provider as the author of an event, as shown to the operator. */
export const otherProvider = 'the provider';

/** Where a provider or the operator answered; follows “by the provider” or “the provider”. */
export const entryOrigins = {
  link: 'with an answer link',
  inbox: 'in the inbox as “{key}”',
} as const;

/** Names of the lead states, as shown to the provider and the operator. */
export const providerStates = {
  new: 'New',
  acknowledged: 'In progress',
  needs_info: 'Waiting for the customer’s answer',
  quoted: 'Offer sent',
  accepted: 'Offer accepted',
  confirmed: 'Confirmed',
  declined: 'Declined',
  canceled: 'Canceled by the provider',
  /** A request in progress whose offer the customer declined. */
  offer_declined: 'Offer declined',
  /** A question that has been answered. */
  answered: 'Answered',
  withdrawn: 'Canceled',
  expired: 'Expired',
  erased: 'Erased',
} as const;

/** How a lead has changed since an answer link was created, by the lead’s current state. */
export const stateChanges = {
  new: 'the request is new',
  acknowledged: 'the request is already in progress',
  needs_info: 'the request already has a question for the customer',
  quoted: 'the request already has an offer',
  accepted: 'the customer has already accepted an offer',
  confirmed: 'the request is already confirmed',
  declined: 'the request is already declined',
  canceled: 'the request was confirmed and then canceled',
  offer_declined: 'the customer has declined the offer',
  withdrawn: 'the request is already canceled',
  expired: 'the request has already expired',
  erased: 'the request is already erased',
} as const;

/** The author of a message, as shown to the provider. */
export const messageAuthors = {
  person: 'The customer',
  provider: 'You',
  operator: 'The operator',
} as const;

/** A provider's possible answers, each with its button and a description of its effect. */
export const answers = {
  acknowledge: {
    title: 'Acknowledge',
    button: 'Send the acknowledgment',
    sent: 'Thank you. Your acknowledgment was sent.',
    description:
      'Shows the customer that you have read the request. It then stays open until you decide or the customer cancels. They see “Read” until you write or decide.',
    fieldLabel: 'A note to the customer',
  },
  ask: {
    title: 'Ask a question',
    button: 'Send the question',
    sent: 'Thank you. Your question was sent.',
    description:
      'Asks the customer for what you need to know before you can continue. They answer on their page.',
    fieldLabel: 'Your question',
  },
  offer: {
    title: 'Send an offer',
    button: 'Send the offer',
    sent: 'Thank you. Your offer was sent.',
    description: 'Sends the customer a price, which they accept or decline on their page.',
    fieldLabel: 'A note to the customer',
  },
  confirm: {
    title: 'Confirm',
    button: 'Send the confirmation',
    sent: 'Thank you. Your confirmation was sent.',
    description: 'Tells the customer that their request is confirmed.',
    fieldLabel: 'What you agreed on',
    visitFieldLabel: 'When you will come, and what you agreed on',
  },
  decline: {
    title: 'Decline',
    button: 'Decline the request',
    sent: 'Thank you. The request is declined.',
    description:
      'Tells the customer that you cannot do it. This ends the request and cannot be undone.',
    fieldLabel: 'Your reason',
  },
  reply: {
    title: 'Write to the customer',
    button: 'Send the message',
    sent: 'Thank you. Your message was sent.',
    description: 'Sends the customer a message. The status of the request does not change.',
    /** For a confirmed visit. */
    visitDescription:
      'Sends the customer a message. The agreed time does not change. For a new time, choose “Change the time” instead.',
    /** For a confirmed request for specific days. */
    bookedDescription:
      'Sends the customer a message. To change the time, choose “Change the time” instead. Neither changes the days: for different days, the customer has to send a new request. Once you have confirmed that one, cancel this booking.',
    fieldLabel: 'Your message',
  },
} as const;

/** Replaces “Confirm” for a question. */
export const closeQuestion = {
  title: 'Close as answered',
  button: 'Close the question',
  sent: 'Thank you. The question is closed.',
  description: 'Tells the customer that their question has been answered.',
  fieldLabel: 'Your answer, unless you have already sent it',
} as const;

/** Replaces “Decline” for a question. */
export const declineQuestion = {
  ...answers.decline,
  button: 'Decline the question',
  description:
    'Tells the customer that your answer is no. This ends the question and cannot be undone.',
  fieldLabel: 'Your answer',
} as const;

/** Replaces “Acknowledge” while the customer has not answered a question. */
export const endOfWait = {
  ...answers.acknowledge,
  title: 'Continue without the answer',
  button: 'Continue without the answer',
  sent: 'Thank you. You can now make an offer or confirm.',
  description:
    'Stops waiting for the customer’s answer, for example because they answered by phone. You can then make an offer or confirm. The customer can still write to you.',
} as const;

/** Replaces “Decline” for a confirmed request, which it cancels. */
export const cancellation = {
  title: { booking: 'Cancel the confirmed booking', request: 'Cancel the confirmed request' },
  button: { booking: 'Cancel the booking', request: 'Cancel the request' },
  description: {
    booking:
      'Tells the customer that you are canceling the booking that you confirmed. This ends the request and cannot be undone.',
    request:
      'Tells the customer that you are taking back your confirmation. This ends the request and cannot be undone.',
  },
  sent: 'Thank you. Your cancellation was sent.',
  fieldLabel: 'Your reason',
  /** In the inbox: the field for the reason. */
  reason: 'Write your reason under “{field}”.',
  /**
   * Starts the label of the box to check before canceling; the request, customer and booking
   * follow.
   */
  box: 'Cancel for good',
  unchecked: 'To cancel for good, check the box.',
} as const;

/** Replaces “Confirm” for a confirmed request, which it changes. */
export const change = {
  title: { booking: 'Change the time', request: 'Change what you confirmed' },
  button: 'Send the change',
  sent: 'Thank you. Your change was sent.',
  description:
    'Replaces what you wrote when you confirmed and what you wrote about the time since then, so include everything that still applies. Your other messages and the price stay the same. For a different price, the customer has to send a new request. Once you have confirmed that one, cancel this one.',
  /** For a request for specific days. */
  datedDescription:
    'Changes the time on the booked days. Replaces what you wrote when you confirmed and what you wrote about the time since then, so include everything that still applies. Your other messages, the days and the price stay the same. For different days or a different price, the customer has to send a new request. Once you have confirmed that one, cancel this booking.',
  sentDated: 'The booking is still for {days}.',
  replaced: 'It replaces: “{text}”',
  /** Above the text in the form. */
  replaces: 'The change replaces this text, so repeat what still applies:',
  /** After a message that names a time. */
  timeUnchanged:
    'A message does not change the agreed time. If you agreed on a new time, send it with “{change}”.',
  unchanged:
    'This is what you wrote before, so nothing would change. Enter the new time, and everything else that still applies.',
  fieldLabel: 'The new time, and what else still applies',
} as const;

/** What is wrong with a price, and what to enter instead. */
export const priceMistakes = {
  range: 'An offer has one price, not a range. Enter one number, for example 450.',
  negative: 'A price cannot be negative. Enter it without a minus sign, for example 450.',
  letters: 'The price has letters or words. Enter only the number, for example 450 or 450.00.',
  twoDecimalMarks:
    'The price has two decimal marks. Enter it with one decimal point, for example 1450.00.',
  comma: 'The price has a comma before the cents. Use a decimal point, for example 450.50.',
  decimals: 'The price has more than two decimal places. Round it to cents, for example 450.50.',
  tooLarge: 'The price is too large. Enter at most 999999999.99.',
} as const;

/** Inputs for the price and expiry of an offer. */
export const offerInputs = {
  item: 'What you offer',
  itemHint:
    'If you agree on a different item or different days, choose them here. Whatever you offer is held until the offer ends. The customer accepts it on their page; if they accept it by phone, confirm the request and say so there.',
  itemPrice: '{title}, {price} per day',
  closedDays: 'Closed days near these dates: {days}.',
  onClosedDay: 'You are closed on {days}. Choose another day, or check “{box}”.',
  exception: 'We’ll make an exception',
  offersClosedDay: 'Careful: you are closed on {days}, which the offer includes.',
  from: 'First day',
  to: 'Last day',
  payer: 'Who pays',
  payers: { person: 'The customer pays you', provider: 'You pay the customer' },
  choosePayer: 'Choose who pays.',
  price: 'Amount',
  customerPrice: 'Price that the customer pays',
  monthlyPrice: 'Monthly price that the customer pays',
  priceBeforeTax: 'Price before sales tax',
  taxHint:
    'Sales tax ({percent} percent) is added to what the customer pays, and they see the total.',
  /** If no published price is shown. */
  priceHint: 'For example, 450 or 450.00.',
  monthlyHint: 'The customer sees “a month” after the price. Enter any one-time amount below.',
  unsentPrice:
    'Only an offer sends a price. Choose “Send an offer”, or write the price in your message and clear the price here.',
  publishedTotal: 'Published price of what the customer requested: {price}.',
  publishedItemPrice: 'The published price of {item} is {price}.',
  offered: 'Your offer: {offer}.',
  replaces: 'It replaces your offer of {offer}.',
  unlikely: {
    high: '{price} is more than twice the published price, {published}. Correct the price, or check “The price is right” below it.',
    low: '{price} is less than half the published price, {published}. Correct the price, or check “The price is right” below it.',
    free: 'The offer is free of charge, but the published price is {published}. Enter a price, or check “The price is right” below it.',
    farAbove:
      '{price} is more than ten times the published price ({published}). Correct the price, or check “The price is right” below it.',
    farBelow:
      '{price} is less than a tenth of the published price ({published}). Correct the price, or check “The price is right” below it.',
    otherDays:
      'The published price of {item} is {published}, and you entered {price}. Correct the price, or check “The price is right” below it.',
    large: '{price} is a large sum. Correct the price, or check “The price is right” below it.',
  },
  checked: 'The price is right: {price}',
  currency: 'Currency',
  description: 'What the price includes',
  publishedTerms:
    'The customer also sees these published terms, unless you change them here: {terms}',
  openFor: 'Keep the offer open for',
  callBeforeItEnds: 'The customer left no email address. Call them before the offer ends.',
  latest:
    'An offer expires before the first offered day begins. For {days}, it expires by {until} at the latest.',
  openUntil: 'The offer is open until {until}.',
  periods: {
    '2h': '2 hours',
    '24h': '1 day',
    '48h': '2 days',
    '7d': '7 days',
    '14d': '14 days',
    '30d': '30 days',
  },
  enterPrice: 'Enter one price as a number, such as 450 or 450.00.',
  enterCurrency: 'Enter a currency code, such as USD.',
  chooseDay: 'Choose a day.',
  choosePeriod: 'Choose how long the offer stays open.',
  reversed: 'The last day is before the first day. Choose {day} or a later day.',
  zero: 'Enter a price above 0, or check “{box}”.',
  zeroPaid: 'Enter the amount that you pay the customer. It must be above 0.',
  freePaid: 'The amount that you pay the customer must be above 0. Enter it, and uncheck “{box}”.',
  notZero: 'You checked “{box}”. Enter 0 as the price, or uncheck it.',
  free: 'Free of charge: the price is 0',
  confirmOnAccept:
    'Confirm automatically when the customer accepts. Otherwise, you confirm after they accept.',
  /** For a visit. */
  visitTime:
    'Tell the customer when you can come. Once the request is confirmed, they rely on that time.',
  /** While an offer with a message is open. */
  replacedNote:
    'A new offer also replaces the note that you sent with the open offer: “{note}” If it still applies, repeat it.',
} as const;
