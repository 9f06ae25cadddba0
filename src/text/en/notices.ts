const NOT_CONFIRMED =
  'This is not a confirmed booking or payment; the provider confirms separately.';

/**
 * What each state of a request means, on receipts and in email. The notice about new requests is in
 * the registry.
 */
export const notices = {
  acknowledged: `The provider has your request. ${NOT_CONFIRMED}`,
  needs_info: `The provider needs more information. ${NOT_CONFIRMED}`,
  quoted: `The provider made an offer. ${NOT_CONFIRMED}`,
  accepted: `You accepted the offer. ${NOT_CONFIRMED}`,
  confirmed: 'The provider confirmed this request. This is not proof of payment.',
  declined: 'The provider declined this request. Nothing is booked.',
  withdrawn: 'This request was canceled. Nothing is booked.',
  expired: 'This request expired without a confirmation. Nothing is booked.',
  erased: 'This request was erased. Nothing is booked.',
  question:
    'This receipt says that your request arrived. It does not buy, book or reserve anything.',
  answeredQuestion:
    'The provider answered this question. The answer does not buy, book or reserve anything.',
  subscribed:
    'This email address stays on the list until the subscription is canceled or the address is erased, {retention}. This is not a confirmed booking or payment.',
  unsubscribed: 'The subscription was canceled.',
  answered: `The provider has sent you a message. ${NOT_CONFIRMED}`,
  canceled:
    'The provider canceled this request, which it had confirmed. The confirmation no longer applies, and nothing is booked.',
} as const;

/** The same for requests that cannot lead to a booking, such as questions. */
export const inquiryNotices = {
  received: 'This receipt says that your request arrived.',
  acknowledged: 'The provider has your request.',
  needs_info: 'The provider needs more information.',
  confirmed: 'The provider answered this request.',
  declined: 'The provider said no. This request is closed.',
  withdrawn: 'This request was canceled.',
  expired: 'This request expired without an answer.',
  erased: 'This request was erased.',
  question: 'This receipt says that your request arrived.',
  answeredQuestion: 'The provider answered this question.',
  subscribed:
    'This email address stays on the list until the subscription is canceled or the address is erased, {retention}.',
  answered: 'The provider has sent you a message.',
  canceled:
    'The provider canceled this request, which it had answered. The answer no longer applies.',
} as const;

/** The first sentence of a notice from when the person writes until the provider answers. */
export const sentMessageNotices = {
  sent: 'Your message was sent to {provider}.',
  held: 'Your message was sent to {provider}; it does not change the held days.',
} as const;

/** What an offer means in each state of its request. */
export const offerNotices = {
  confirms:
    'The provider made an offer. Accepting it confirms the request; until then this is not a confirmed booking or payment.',
  accepted: 'You accepted the offer, which confirms this request. This is not proof of payment.',
  expired:
    'The provider’s offer has expired. This is not a confirmed booking or payment; send a reply to ask for a new offer.',
  ended:
    'The provider confirmed this request at the published price; its offer was not accepted and has ended. This is not proof of payment.',
  ended_unpriced:
    'The provider confirmed this request without a price; its offer was not accepted and has ended. This is not proof of payment.',
} as const;

/** Warnings after a notice. */
export const warnings = {
  emergency:
    'You said that this is an emergency: call {phone} now. Do not wait for a written answer.',
  holdEnds: 'The hold ends on {until} unless the provider confirms it first.',
  holdEndsEarly:
    'The hold ends on {until}, before the answer is due, unless the provider confirms it first.',
  noEmail:
    'This request has no email address, so nothing can be sent: submit it again with one. To speak with someone, call {phone}.',
  noContact:
    'This request has no phone number or email address, so nobody can call or write back: the answer appears only on the receipt.{holdEnd} To speak with someone, call {phone}.',
  placeMismatch: 'This takes place in ZIP code {known}, not in the one that you entered.',
  pickupMismatch: 'Pickup and return are in ZIP code {known}, not in the one that you entered.',
  unavailable: '{item} is marked as {status}, so the request may be declined.',
  sameDay:
    'The day you chose, {day}, is the day on which this request was sent, and {service} closes at {time}. Call {phone} to ask whether that day is still possible.',
  closedDay: '{service} is closed on {days}. Call {phone} to ask whether an exception is possible.',
  afterOpening:
    'The answer is promised by {deadline}, but {service} opens at {time} on that day. If you need an answer sooner, call {phone}.',
  /** Only in documents for software; pages and email say this where it applies. */
  detailsMissing: '{hint} No field asks for this, so {fix}.',
  noAddress:
    'The provider comes to the customer, but the request has no street address. Unless the provider has it already, {fix}.',
  writeInField: 'write it in fields.{field}',
  sendText: 'send it as text to statusUrl + /messages or, over MCP, with reply_to_request',
  afterFirstDay:
    'The answer is promised by {deadline}. That is after the day you chose, {day}; call {phone} instead.',
} as const;

/** What a price consists of. */
export const priceParts = {
  free: 'free of charge',
  monthly: '{price} a month',
  withTax: '{price} plus {tax} sales tax = {total}',
  withDeposit: '{price}, and a refundable deposit of {deposit}',
} as const;
