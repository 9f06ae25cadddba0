/** The receipt of a lead. */
export const receipt = {
  /** Headlines for a confirmed item or web page, and for a new request with an immediate effect. */
  done: {
    confirmed: 'Your {item} is confirmed',
    agreed: 'The offer for “{item}” is confirmed',
    held: 'Your {item} is held, but not booked yet',
    storefront: 'Your preview page is online',
    publishable: 'Your web page can be published',
    published: 'Your web page is published',
    service: '{service} does not have your request yet',
  },
  title: 'Receipt: {request}',
  description: {
    request: 'The status of your request to {provider}.',
    subscription: 'The status of your subscription to {provider}.',
  },
  you: 'You',
  sandbox: 'Sandbox: a sample; nothing was stored or sent',
  preview:
    '{link} Anyone who has the link can see it; search engines do not list it. To change it or have it published, write to {provider} below. Canceling the request removes it.',
  confirmedPreview:
    '{link} Anyone who has the link can see it; search engines do not list it. Next, {provider} will write to you about the agreement. To change the page, write to {provider} below. Canceling the request removes it.',
  published:
    '{link} It is published. To change it, write to {provider} below. Canceling the request removes it.',
  /** For an item that is offered or agreed on but not held. */
  unheld: '{item} is not held for you: {provider} may still sell it to someone else.',
  /** The same once both sides have agreed on a price that the person pays. */
  unheldAgreed:
    'Call {phone} now to agree on how you pay and how you get it. {item} is not held for you: {provider} may sell it to whoever pays first.',
  /** For a confirmed hold, if the person has since written about other days. */
  daysUnchanged: 'Your messages did not change the requested days.',
  sendAgain: 'Send it again with another ZIP code',
  firstStaysOpen:
    'This request stays open until you cancel it. Once you have sent the new one, {cancel}.',
  cancelThis: 'cancel this one',
  pageGone: 'Your web page was taken down.',
  /** For a request that nobody answered by the deadline. */
  endsUnanswered: {
    request: 'If nobody answers by {until}, this request ends, and you owe nothing.',
    storefront:
      'If nobody answers by {until}, this request ends, and your preview page is taken down. You owe nothing.',
  },
  /** Before the deadline: for a request with a decision or a hold, and for one that stays open. */
  unanswered: 'If you hear nothing by then, call {phone}.',
  unansweredOpen: 'If you hear nothing by then, call {phone}. Your request stays open.',
  open: 'Open the preview',
  openPublished: 'Open your page',
  includes: 'The price includes:',
  from: 'From {provider}:',
  fromAt: 'From {provider}, {at}:',
  /** Above a change to a confirmed request: a new time, the first time, or something else. */
  changes: {
    time: '{provider} changed this, {at}. What they wrote earlier about the time no longer applies. New:',
    firstTime: '{provider} set the time, {at}:',
    other: '{provider} added or changed this, {at}:',
  },
  later: 'Later from {provider}:',
  service:
    '{provider} has this request and will answer it. {service} does not have it. To ask {service} now, send a request from their page: {link}',
  held: 'We are holding this for you until {until}: {item}. It is booked once {provider} confirms. If that has not happened by then, the hold ends and nothing is booked.',
  heldPastOffer:
    'We are holding this for you until {until}: {item}. The offer ends earlier. If you do not accept it in time, the hold continues, and you can ask {provider} for another offer. If nothing is confirmed before the hold ends, nothing is booked.',
  heldWithOffer:
    'We are holding this for you as long as the offer is open, until {until}: {item}. If you do not accept the offer by then, the hold ends too, and nothing is booked.',
  heldAlongsideOffer:
    'You asked for: {item}. It is set aside for you until {until}, unless you accept the offer.',
  calendar: 'Add to your calendar',
  canceled: 'Canceled: {days}',
  removeFromCalendar: 'Remove from your calendar',
  request: { request: 'Your request', subscription: 'Your subscription' },
  reference: 'Reference',
  price: 'Price',
  prices: 'Price list',
  publishedPrice: 'Published price',
  minimumTerm: 'Shortest rental',
  /**
   * Label of a requested value, shown while an offer for a different item or different days is
   * open.
   */
  asRequested: '{label}, as you requested',
  withTax: 'With sales tax: {total}',
  deposit: 'Deposit',
  refundable: '{deposit}, refundable',
  /** A fact that applies only to a confirmed request, unlike opening hours. */
  ifConfirmed: '{name} (once confirmed)',
  ifAccepted: '{name} (if you accept)',
  /** Shown above published facts that the provider’s own words may override. */
  wordsApply: 'If {provider} wrote you something different, that applies instead.',
  previousAgreement: 'Previously agreed price',
  withheld: {
    says: '{provider} has everything that you wrote. To keep it private, this page does not repeat:',
    /** The same in the browser tab that sent it, which shows the values. */
    shownHere:
      '{provider} has these details, too. To keep them private, this page shows them only until you close this tab:',
    inSandbox: 'To keep it private, the receipt of a real request does not repeat:',
    contact: 'Your full contact details',
    data: 'Other details that you entered',
  },
  /** Where the person gets the answers: by email, by phone or only on the page. */
  answers: {
    title: 'Where you will get the answer',
    confirmedTitle: 'How we will reach you',
    mailed: 'By email to {email} and on this page.',
    unmailed: 'On this page, so save the link: we do not email {email} about it.',
    dailyLimit:
      'On this page: {email} has reached its daily email limit, so we are not sending any more for now. Keep the link to this page.',
    rejected:
      'On this page: the mail server rejected {email}, so our email will not reach you. Keep the link to this page.',
    subscription: 'Where we send it',
    subscribed: 'To {email}.',
    called: 'By phone at {phone}, or on this page. Keep the link to this page.',
    here: 'On this page, so save the link.',
    call: '{provider} may also call you at {phone}.',
    newPhone: 'If your number changes, write the new one to {provider} in a message.',
  },
  contact: 'Your contact details',
  /** For a person who has reached the email limit, before and after confirmation. */
  mailLimit: {
    open: 'We will email you again only about an offer, or when the request is confirmed or declined. Further messages will appear only on this page.',
    offered:
      'We will email you once more, when the request is confirmed or declined. Further messages and offers will appear only on this page.',
    confirmed:
      'We will email you again only if the time changes or the request is canceled. Further messages will appear only on this page.',
    changed:
      'We will email you again only if the request is canceled. Further messages will appear only on this page.',
  },
  or: ' or ',
  sentTo: 'Sent to',
  phone: 'Their phone number',
  messages: 'Messages',
  history: 'So far',
  elsewhere: 'Ask {service} instead',
  again: 'Send a new request',
  askAgain: 'Ask another question',
  subscribeAgain: 'Subscribe again',
  call: 'Call {name} at {phone} to ask what else you can do.',
  callHours: 'Hours: {hours}.',
  freeDays: 'See available days and sizes',
  /** Shown on an open page when the request has changed. */
  updateNotice: 'Something has changed since you opened this page. {link}',
  showUpdate: 'Show it',
  sentBefore: 'You sent this form more than once. We count it only once, and this is its receipt.',
  sent: 'Your message was sent to {provider} on {at}: “{message}”',
  unchanged: {
    price: 'Your message alone does not change the days or the price.',
    dates: 'Your message alone does not change the dates.',
    emergency:
      'Your message does not cancel your request for emergency help, so this page still asks you to call. If it is not an emergency, you do not need to call.',
  },
  /** When the provider opens next. */
  closed: '{provider} {closed}.',
  due: 'They will answer by {deadline}.',
  /** Follows the deadline if the person has reached the limit for emails about messages. */
  onlyHere: 'Look for the answer on this page: we will email you only about {topics}.',
  onlyHereTopics: {
    open: 'an offer or the decision',
    offered: 'the decision',
    confirmed: 'a change of the time or a cancellation',
    changed: 'a cancellation',
  },
  overdue: 'An answer from {provider} was due by {deadline}. Call them or write to them.',
  /** For a message after the answer to a question, such as thanks. */
  ifNeeded: {
    due: 'If it needs an answer, they will answer by {deadline}.',
    overdue: 'If you still need an answer, call {provider} or write to them.',
  },
  answerFrom: 'Answer from {provider}',
  promised: 'not yet; promised by {deadline}',
  address: {
    title: 'Keep the link to this page',
    text: {
      request:
        'Use it to come back for the answer or to cancel. {mail} Keep it private: whoever has it can read the messages and reply for you.',
      subscription:
        'Use it to cancel the subscription. {mail} Keep it private: anyone who has it can cancel the subscription.',
    },
    /** Whether the person also gets the link by email. */
    mailed: 'We also email it to {email}.',
    unmailed: 'We are not emailing it to you, so save it now.',
    rejected: 'Our email to {email} cannot be delivered, so save it now.',
    endedText: 'Use it to return to this page. Whoever has it can read everything here.',
    copy: 'Link to this page',
  },
  unsure: 'We cannot tell whether your message was sent.',
  notSent: 'Nothing was sent.',
} as const;

/** The price of an offer and who pays it, by payer, as shown to the person and to the provider. */
export const offerPrices = {
  person: { person: 'you pay {price}', provider: 'the customer pays {price}' },
  provider: { person: 'you receive {price}', provider: 'you pay the customer {price}' },
} as const;

/** A price that the provider pays, as a noun, as shown to the person and to the provider. */
export const paidPrices = {
  person: '{price}, paid to you',
  provider: '{price}, paid to the customer',
} as const;

/** A message or an offer in the conversation, from either side. */
export const conversation = {
  written: '{name}, {at}',
  /** Labels of an offer: open, accepted, or how it ended. */
  offers: {
    open: 'Offer: {price}, open until {until}',
    accepted: 'Offer: {price}, accepted',
    ended: 'Offer: {price}, no longer open',
    declined: 'Offer: {price}, declined',
    replaced: 'Offer: {price}, replaced by a newer offer',
    expired: 'Offer: {price}, expired',
    confirmed_without: 'Offer: {price}, ended because the request was confirmed without it',
    request_ended: 'Offer: {price}, ended with the request',
  },
  /** A message that a later change replaced. */
  replaced: 'Replaced {at}',
  /** The offered item and days, if the offer changes them. */
  offered: 'Offered: {item}',
} as const;

/** Why an offer cannot be accepted or declined, depending on how it ended. */
export const endedOfferReasons = {
  declined: 'This offer is no longer open: it was declined.',
  replaced: 'A newer offer has replaced this one.',
  expired: 'This offer has expired.',
  confirmed_without: 'This offer is no longer open: the provider confirmed the request without it.',
  request_ended: 'This offer is no longer open: the request is now “{state}”.',
} as const;

/** Shown to the person if an offer ended because the provider confirmed the request without it. */
export const endedOffer = {
  published: {
    unwritten:
      'The offer ({offer}) was not accepted and has ended. The published price applies: {price}.',
    written:
      'The offer ({offer}) was not accepted and has ended. The published price applies, unless the message from {provider} names another: {price}.',
  },
  unpriced: {
    unwritten:
      'The offer ({offer}) was not accepted and has ended. There is no agreed price; ask {provider}.',
    written:
      'The offer ({offer}) was not accepted and has ended. If the message from {provider} names no price, ask for it.',
  },
} as const;

/** The person’s possible replies on the receipt. */
export const customerForm = {
  offer: 'Offer from {provider}: {price}',
  offered: 'For: {request}',
  offeredHold: 'Offered instead: {item}',
  offeredHoldNote:
    'It is held for you until the offer ends. If you accept, you get it instead of what you asked for.',
  publishedTerms: 'Published terms, unless the offer changes them: {terms}',
  agreedTerms: 'Published terms: {terms}',
  agreedTermsAfterWords:
    'Published terms: {terms} If the accepted offer says otherwise, the offer applies.',
  see: 'See the offer',
  possibleDeposit: 'Refundable deposit, unless the offer says otherwise: {deposit}',
  until: 'You can accept it until {until}.',
  confirmsAtOnce: 'Accepting it confirms your request.',
  confirmsLater: 'After you accept it, {provider} still has to confirm.',
  accept: 'Accept: {price}',
  /** For days other than those requested. */
  acceptDays: 'Accept for {days}: {price}',
  decline: 'Decline the offer',
  asks: '{provider} asks',
  wrote: 'Message from {provider}',
  messageWithOffer: 'Add a message or ask a question',
  write: 'Write to {provider}',
  /**
   * A link to the message form, and its hint: for days that are held or booked, for requested
   * dates, or for other requests.
   */
  change: {
    days: 'Change the days, or write to {provider}',
    confirmedDays: 'How to get different days, or write to {provider}',
    details: 'Add details for {provider}',
    dates: 'Change a date, or write to {provider}',
    text: 'Correct something, or write to {provider}',
  },
  changeHint: {
    days: 'To change the days, choose them in the calendar or write them here. They change only if {provider} agrees.',
    confirmedDays:
      'A message does not change the days. For different days, send a new request. Once the new one is confirmed, cancel this booking.',
    details: 'Add anything that the form had no field for.',
    dates:
      'To change a date, write the one you want instead. It changes only once {provider} agrees.',
    text: 'To correct something, write what it should say.',
  },
  /** The message for days that the person chose in the calendar. */
  otherDays: 'Could I have {days} instead?',
  answerQuestion: 'Answer the question',
  answer: 'Your answer',
  message: 'Your message',
  readers: '{provider} can read your message, and so can anyone who has the link to this page.',
  empty: 'Enter your answer or message.',
  alreadySent: 'You already sent this message, so it was not sent again.',
  changed:
    'This text has not been sent, because the page had already sent other text. Send it now.',
  sendAnswer: 'Send your answer',
  sendMessage: 'Send the message',
  /** Instead of the message form, while the person has reached a message limit. */
  closed: 'You cannot send any more messages here.',
} as const;

/** What the person can do about their request. */
export const requestManagement = {
  title: 'Cancel or erase',
  endedTitle: 'Erase',
  cancel: {
    request: 'Cancel the request',
    booking: 'Cancel the booking',
    question: 'Cancel the question',
  },
  cancelPrompt: 'Cancel it? You cannot undo this. You can still see this page afterward.',
  releasesHold: 'We release what we are holding for you, so that others can book it.',
  costsNothing: 'Canceling costs nothing, because nothing is booked yet.',
  mayCost:
    'Whether canceling now costs anything depends on {provider}; to be sure, ask them first.',
  cancelConfirmedPrompt:
    '{provider} has confirmed this and is counting on you. Cancel it? {provider} will see this in its inbox, and you cannot undo it. You can still see this page afterward.',
  subscriptionTitle: 'Cancel or erase',
  stop: 'Cancel the subscription',
  stopPrompt:
    'This ends the subscription, and we ask {provider} to take your email address off its mailing list. You can subscribe again at any time.',
  confirmStop: 'Yes, cancel it',
  storefrontEnds: 'Your web page is taken down at once.',
  confirmCancel: 'Yes, cancel it',
  erase: { request: 'Erase the request', subscription: 'Erase the subscription' },
  eraseHint: {
    request:
      'This ends the request, even if it was confirmed. Everything that you wrote is erased from this service at once and for good. After that, this page only says that the request was erased. We ask everyone who received your request to erase it, too.',
    subscription:
      'This ends the subscription. Your email address is erased from this service at once and for good. After that, this page only says that it was erased. We ask {provider} to take your email address off its list and to erase it, too.',
  },
  eraseConfirmation: 'Erase it for good',
  eraseButton: 'Erase',
} as const;

/** The page for email recipients who did not send the request or who want no more email. */
export const notMe = {
  title: 'This wasn’t me',
  description: 'Stop the emails, or erase what was sent.',
  request: 'Someone entered your email address at {provider}: “{request}”, {at}.',
  notYou: 'Not you?',
  eraseHint: {
    request:
      'Erase the request and everything in it. We ask the provider to erase it, too, and will not write to you about it again.',
    subscription:
      'Erase the subscription and everything in it, which ends it. We ask {provider} to take your email address off its list and to erase it, too, and will not write to you about it again.',
  },
  losses: {
    booking:
      '{provider} has confirmed this request and is counting on it. Erasing it cancels the booking for good: {booking}.',
    hold: 'This request holds something for you. Erasing it gives up the hold for good: {booking}.',
  },
  confirmErase: {
    booking: 'Yes, cancel the booking and erase it',
    hold: 'Yes, give up the hold and erase it',
  },
  notErased: 'Nothing was erased.',
  erased: {
    title: 'Erased',
    detail:
      'As you asked, we erased everything that was sent, including all personal data. We ask the provider to erase it, too, and will not write to you about it again.',
    mistake:
      'Was that a mistake? We cannot bring back what was erased, but you can send it again: {again}.',
    again: 'go to {service}',
  },
  noMoreEmail: 'Was it you, but you want no more email?',
  stopped: {
    request: 'We will not email you about this request again.',
    subscription: 'The subscription has ended, and we will not email you about it again.',
  },
  whatRemains: {
    request: 'The request stays open. You can follow it on its page.',
    subscription:
      'This ends the subscription, and we ask {provider} to take your email address off its mailing list.',
  },
  stop: { request: 'Stop the emails', subscription: 'Cancel the subscription' },
  open: { request: 'Open the request', subscription: 'Open the receipt' },
} as const;

/** A page that cannot be shown. */
export const rejection = {
  again: 'Open this page again',
  inbox: 'Open the inbox',
  begin: 'Start at the {front}. Questions? Call {phone} or write to {email}.',
  front: 'front page',
  ask: 'Questions? Call {phone} or write to {email}.',
  findRequest:
    'If you did, call {phone} or write to {email}: we can find your request by your name or its reference.',
  /** Titles by problem code, where the problem’s own title is for software. */
  titles: {
    malformed_body: 'This could not be read',
    invalid_input: 'Something is missing or wrong',
    unknown_receipt: 'We cannot find this request',
    unknown_token: 'This link does not work',
    method_not_allowed: 'Nothing can be sent to this page',
    conflict: 'This cannot be done now',
    budget_exceeded: 'Too many requests',
    gone: 'This is no longer here',
    too_large: 'This is too long',
    unsupported_media_type: 'This could not be read',
  },
  /** Advice by problem code, where the problem’s own detail is for software. */
  details: {
    unknown_receipt: 'No request matches this link. Check that you copied all of it.',
    unknown_token:
      'No page matches this link. Check that you copied all of it, or ask for it again.',
    method_not_allowed: 'Go back, reload the page that you came from, and try again.',
  },
  /** In the inbox, where a request is found by its reference. */
  unknownReference: 'No request matches this reference.',
  unknownAnswerLink:
    'Check that you copied all of it. If you did, newer links may have replaced them: answer in the inbox, or ask us to send you the request again.',
  unknownStorefront: {
    title: 'There is no web page at this address',
    detail: 'Check that you copied all of it, or ask whoever gave it to you.',
  },
  logged: 'We logged the error. Try again in a moment. If it happens again, tell us: error {id}.',
} as const;
