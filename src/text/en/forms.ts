/** For people who cannot make an emergency call themselves. */
export const relayAdvice =
  'If you cannot hear or speak on the phone, the free relay service at 711 makes the call for you.';

/** Whom to call in an emergency. */
export const emergencyNotice =
  'In an emergency, call {phone} now. Do not wait for a written answer. If anyone is in danger, call 911.';

/** Forms for requesting something from a service. */
export const forms = {
  optional: 'optional',
  more: 'Tell us more, if you like',
  checks: 'Choose all that apply.',
  leaveEmpty: 'Leave this empty',
  answered: 'We answer within {hours}.',
  answeredAfterOpening:
    'We answer within {hours}. If we are closed when that time is up, we answer within {after} after we open.',
  /** The deadline for the answer, once the script knows the time. */
  answeredBy: 'If you send this now, we will answer by {deadline}.',
  /** Warnings about the selected days. */
  answeredAfterDay: 'We will answer by {deadline}. That is after {day}: call {phone} instead.',
  answeredLate:
    'We will answer by {deadline}, but we open at {opens} that day. If you need an answer sooner, call {phone} as well.',
  closedDays: 'We are closed on {days}. Call {phone} to ask whether an exception is possible.',
  terms:
    'After you send it, you will see a page with the status of your request. You can cancel there. Nothing is booked or paid yet. We use what you write only for this request, and erase it {retention}.',
  /**
   * The same text for a question, which books nothing, and for a hold, whose own text says that
   * nothing is booked yet.
   */
  termsWithoutBooking:
    'After you send it, you will see a page with the status of your request. You can cancel there. We use what you write only for this request, and erase it {retention}.',
  subscriptionTerms:
    'After you send it, you will see a page that says how to unsubscribe. We use what you write only for this subscription, and erase it {retention}, or when you ask.',
  /** How long an item is held: before and after the script knows the time. */
  heldFor:
    'We hold your days for {hours}, or until your last day ends if that is sooner. They are booked once we confirm. You pay nothing now.',
  heldUntil:
    'If you send this now, we will hold your days until {until}. They are booked once we confirm. You pay nothing now.',
  sameDay:
    'If you need it on the day you send this, call {phone} as well: we have to get it ready before we close.',
  today:
    'If this is for today, it is faster to call. While we are closed, nobody reads what you send here.',
  emergency: `In an emergency, call now. Do not wait for a written answer: outside our hours, only a call reaches us. If anyone is in danger, call 911. ${relayAdvice}`,
  bring: 'What you need',
  writeTo: 'Write to {email}.',
  forPartners: 'For partners: {action}',
  /** The field’s label ends with a colon or a question mark. */
  fault: '{field} {message}',
} as const;

/** The person's contact details. */
export const contact = {
  name: 'Your name',
  phone: 'Phone',
  email: 'Email',
  reach: 'How can we reach you?',
  about: 'About you',
  contactHint: 'Enter a phone number or an email address.',
  mistyped: 'Did you mean {address}? Correct the address, or send it again if it is right.',
  sender: 'This is our own email address. Enter yours.',
  optionalHint:
    'Without a phone number or an email address, you will find the answer only on the page that follows.',
} as const;

/** The name of a storefront. */
export const storefrontName = {
  reserved:
    'Choose a different name: people could mistake your page for ours. If this is the name of your business, call {phone} or write to {email}.',
} as const;

/** The offerings of a storefront, one per row. */
export const offerings = {
  hint: 'Up to {rows}, each with its price. If you skip this, we add one example.',
  addOffering: 'Add product or service {number}',
  offering: 'Product or service {number}',
  name: 'Product or service',
  description: 'Short description',
  price: 'Price in dollars',
  priceNeeded: 'Product or service {number} needs a price in dollars, such as 45 or 12.50.',
  paid: 'How customers pay',
  once: 'Once',
  monthly: 'Every month',
  /** The price of an offering that is paid every month. */
  monthlyPrice: '{price} a month',
} as const;

/** Outcomes of a submitted form. */
export const formOutcome = {
  sending: 'Sending…',
  noResponse: 'No response yet. You can send it again; we will count it only once.',
  notSent: 'This has not been sent yet.',
  notPast: 'That day has passed. Choose {day} or a later day.',
  closed: 'Choose {day} or a later day: we are closed until then.',
  distant: 'Choose {day} or an earlier day: dates can be at most {years} years ahead.',
  distantHold: 'Choose {day} or an earlier day: holds can begin at most {days} days ahead.',
  longHold: 'Choose {day} or an earlier day: holds can last at most {days} days.',
  notSentBecause: 'This has not been sent yet. {reason}',
  tooMany:
    'This has not been sent yet. We limit the number of requests from one contact or one internet connection, which several people may share. Send it again after {time}, or call {phone}.',
  stillSending: 'This is still being sent. Send it again in a moment; we will count it only once.',
  changed:
    'This has not been sent yet. You sent this form before with different answers; send it again to make a separate request.',
  unsure:
    'We cannot tell whether this arrived. Send it again in a moment; we will count it only once.',
} as const;

/** A rejected submission that did not come from a form on the page. */
export const unmatchedSubmission = {
  fault: '{name}: {message}',
  allowed: 'Allowed values: {values}.',
  availableForms: 'This was not sent from a form on this page. Use one of these: {forms}.',
  sent: 'What was sent',
} as const;

/** The available days of an item and the total for the chosen days. */
export const freeDays = {
  title: 'Available days: {item}',
  label: 'Available days and price',
  weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  taken: '{day}, taken',
  crossedOut: 'Crossed-out days are taken.',
  /**
   * Marks a day on which the provider is closed: in the day’s cell, for screen readers, and in the
   * explanation.
   */
  closedMark: 'closed',
  closedDay: '{day}, closed: call',
  closedDays:
    'We are closed on days marked “closed”. For pickup or return on one of them, call {phone}.',
  earlier: 'Earlier days',
  later: 'Later days',
  choose: 'Choose the {label}. The total price appears once you have chosen both days.',
  /** The label of the first day ends with a colon or a question mark. */
  chooseNext: '{from} {day}. Now choose the {to}. For one day only, choose the same day again.',
  free: '{days}: available',
  takenDays: '{days}: some of these days are taken. Choose other days.',
  today: 'That is today, and we close at {closes}. Call {phone} to ask whether it can be ready.',
  closed: 'We are closed on {days}. Call {phone} to ask whether an exception is possible.',
  withTax: 'With sales tax: {total}',
  deposit: 'Refundable deposit: {deposit}',
  seeFreeDays: 'Open the calendar of available days, with the total price, for:',
  chooseItem: 'Choose the {label} to see the available days and the total price.',
} as const;
