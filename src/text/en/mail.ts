/** Why a lead may be spam; a suspicion flags a lead but never rejects it. */
export const suspicions = {
  honeypot: 'A field that is hidden from people was filled in.',
  disposable_mail: 'The email address comes from a disposable email service.',
} as const;

/** What was agreed in writing before a request ended, in email to both sides. */
export const agreedUntilEnd = 'This no longer applies: “{text}”';

/** Email to the provider about a lead. */
export const providerMail = {
  subject: '{request}, {service} ({reference})',
  subjectWithDays: '{request} for {days}, {service} ({reference})',
  /** What happened, followed by the subject of the first email. */
  eventSubject: '{event}: {subject}',
  /** What happened, short enough for an email list on a phone. */
  events: {
    withdrawn: { person: 'Canceled by the customer', operator: 'Canceled by the operator' },
    unsubscribed: 'Subscription canceled',
    expired: 'Expired without an answer',
    erased: 'Erased',
    replied: 'The customer replied',
    wrote: 'The customer wrote',
    accepted: 'Offer accepted, please confirm',
    acceptedAndConfirmed: 'Offer accepted and confirmed',
    offerDeclined: 'Offer declined',
    byYou: {
      acknowledged: 'You acknowledged it',
      needs_info: 'You asked a question',
      quoted: 'You sent an offer',
      confirmed: 'You confirmed it',
      closed: 'You closed it as answered',
      replaced: 'You sent a new offer',
      changed: 'You changed it',
      declined: 'You declined it',
      canceled: 'You canceled it',
      sent: 'You wrote',
    },
    forYou: {
      acknowledged: 'The operator acknowledged it',
      needs_info: 'The operator asked a question',
      quoted: 'The operator sent an offer',
      confirmed: 'The operator confirmed it',
      closed: 'The operator closed it as answered',
      replaced: 'The operator sent a new offer',
      changed: 'The operator changed it',
      declined: 'The operator declined it',
      canceled: 'The operator canceled it',
      sent: 'The operator wrote',
    },
  },
  emergency: 'Emergency: {subject}',
  cannotWait: {
    call: 'Emergency: the customer says that this cannot wait. Call {phone}.',
    answer: 'Emergency: the customer says that this cannot wait. Please answer now.',
  },
  stillOpen: 'Your offer is still open:',
  since: 'The request has changed since then: it is now “{state}”.',
  /** The same if only a message has followed, by the message's author. */
  writtenSince: {
    person: 'The customer has written again since then.',
    provider: 'You have written since then.',
    operator: 'The operator has written since then.',
    system: 'There is a newer message.',
  },
  /** Introduces a new request, followed by what has happened since. */
  newRequestWithUpdates: 'You have a new request.',
  answerNow: 'Please answer now.',
  answerBy: 'Please answer by {deadline}.',
  newRequest:
    'You have a new request. Please answer by {deadline}. If nobody answers by {expiry}, it expires.',
  newHeldRequest:
    'You have a new request. Please answer by {deadline}. If nobody answers, it expires together with its hold, which lasts until {holdEnd}.',
  /** For a hold that ends before the promised answer. */
  newShortHold:
    'You have a new request. If you do not confirm by {holdEnd}, its hold ends, and others can book what it holds. Please answer by {deadline} at the latest. If nobody answers by then, the request expires.',
  nothingDue: 'No answer is due from you until the customer writes.',
  timeOpen:
    'You did not name a time, so we told the customer that the two of you will agree on one. Call or write to them, and then enter the time as a change.',
  timeInOffer:
    'The customer relies on the time in your offer. If it does not name one, call or write to them.',
  unheld: '{item} is not held for the customer. Remove the listing yourself once it is sold.',
  callOpen:
    'The customer may not know about your answer until you call them. After the call, choose “I called the customer” in the inbox, if you have an inbox key.',
  /** The same text in the inbox. */
  callOpenHere:
    'The customer may not know about your answer until you call them. After the call, choose “I called the customer”.',
  agreementOpen:
    'The customer is waiting for the page to be published: check that the business is theirs, and send them the agreement.',
  newEnded: 'A request came in and is now closed: “{state}”. There is nothing to do.',
  newSubscription:
    'You have a new subscriber. Add the email address to your list. No answer is needed.',
  openQuestion: 'The customer has not answered this:',
  /** Above the provider’s last message before a customer’s message. */
  answered: 'The previous message to the customer:',
  newEmergency:
    'You have a new request. The customer was promised an answer by {deadline}, but an emergency cannot wait until then.',
  eventTexts: {
    withdrawn: {
      open: 'The customer canceled this request. There is nothing more to do.',
      confirmed:
        'The customer canceled this request, which you had confirmed. Your confirmation no longer applies.',
      dated:
        'The customer canceled this request, which you had confirmed for {days}. That booking is canceled.',
    },
    unsubscribed: 'The subscription has been canceled. Take the email address off your list.',
    withdrawnByOperator: {
      open: 'The operator canceled this request. There is nothing more to do.',
      confirmed:
        'The operator canceled this request, which you had confirmed. Your confirmation no longer applies.',
      dated:
        'The operator canceled this request, which you had confirmed for {days}. That booking is canceled.',
    },
    expired: 'This request expired because nobody answered in time.',
    erased: {
      person: 'The customer had this request erased, which ends it.',
      operator: 'The operator erased this request, which ends it.',
      system: 'This request was erased because its retention period has ended.',
    },
    /** What erasing a request ends, by the request’s previous state. */
    released: {
      confirmed: 'You had confirmed it. Your confirmation no longer applies.',
      booking: 'You had confirmed it: {booking}. That booking is canceled.',
      hold: 'It had not been confirmed. This is no longer held: {booking}.',
    },
    eraseCopies: 'Please erase your copies, too.',
    /**
     * The same for a subscription. The address is no longer stored, so this message cannot name it.
     */
    eraseSubscription:
      'Take the email address off your list and erase your copies, too. The address is in our earlier message with this reference.',
    replied: 'The customer replied.',
    wrote: 'The customer wrote to you.',
    keepsDays:
      'The booked days stay the same. For different days, the customer has to send a new request; cancel this booking once you have confirmed the new one.',
    accepted: 'The customer accepted your offer.',
    acceptedAndConfirmed:
      'The customer accepted your offer. As your offer says, this confirms the request.',
    agreed: 'Agreed: {offer}.',
    offerDeclined: 'The customer declined your offer: {offer}.',
    byYou: {
      acknowledged: 'You let the customer know that you have read the request.',
      needs_info: 'You asked the customer a question.',
      quoted: 'You sent the customer an offer.',
      confirmed: 'You confirmed the request.',
      closed: 'You closed the question as answered.',
      replaced: 'You sent the customer a new offer. It replaces your offer of {offer}.',
      changed: 'You changed the time or other details of the confirmed request.',
      declined: 'You declined the request.',
      canceled: 'You canceled the request, which you had confirmed.',
      sent: 'You wrote to the customer.',
    },
    forYou: {
      acknowledged: 'The operator let the customer know that you have read the request.',
      needs_info: 'The operator asked the customer a question for you.',
      quoted: 'The operator sent the customer an offer for you.',
      confirmed: 'The operator confirmed the request for you.',
      closed: 'The operator marked the question as answered for you.',
      replaced:
        'The operator sent the customer a new offer for you. It replaces your offer of {offer}.',
      changed: 'The operator changed the time or other details of the confirmed request for you.',
      declined: 'The operator declined the request for you.',
      canceled: 'The operator canceled the request for you. You had confirmed it.',
      sent: 'The operator wrote to the customer for you.',
    },
  },
  facts: {
    service: 'Service: {service}',
    request: 'Form: {request}',
    received: 'Received: {at}',
    reference: 'Reference: {reference}',
  },
  customer: 'CUSTOMER',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  request: 'REQUEST',
  terms: 'PRICE AND TERMS',
  freeData: 'ALSO SENT WITH THIS REQUEST',
  before: 'BEFORE YOU ANSWER',
  other: 'The same customer has another request of this kind: {reference} ({state}).',
  answer: 'ANSWER',
  instructions: {
    write:
      'Please do not email the customer directly: only what you send with a link appears on the request’s page and counts as an answer.',
    call: 'Call {phone} to speak with the customer.',
    /** The same for a new request without an email address. */
    callOnly:
      'The customer left no email address, so they see your answer only if they open their page. Call {phone} to tell them.',
    link: 'To answer, open a link:',
  },
  notByReply: 'A reply to this message reaches {organization}, not the customer.',
  keepLinks: 'Keep the answer links to yourself: whoever has them can answer for you.',
  eachLink:
    'Each link sends one answer, which the customer sees. The links work until the request changes, or until {until} at the latest. After each answer, you get a message with new links, until the request ends.',
  /** For an unanswered request that expires before its links do. */
  eachLinkBeforeExpiry:
    'Each link sends one answer, which the customer sees. The links work until the request changes or expires. After each answer, you get a message with new links, until the request ends.',
  declineEnds: 'Declining ends the request for good.',
  cancelEnds: 'Canceling ends the request for good.',
} as const;

/** Email to the person who sent the request. */
export const personMail = {
  subject: {
    request: 'Your request to {provider}: {event} ({reference})',
    subscription: 'Your subscription to {provider}: {event} ({reference})',
  },
  subjectWithDays: 'Your request to {provider} for {days}: {event} ({reference})',
  eventTexts: {
    receipt: {
      event: 'we have received it',
      happened: 'We have your {request}.',
      link: 'Follow your request, write to {provider} or cancel:',
    },
    question: {
      event: 'they have a question',
      happened: '{provider} has a question about your {request}.',
      link: 'You can answer here:',
    },
    message: {
      event: 'they wrote to you',
      happened: '{provider} wrote to you about your {request}.',
      link: 'You can answer here:',
    },
    offer: {
      event: 'they made you an offer',
      happened: '{provider} made you an offer for your {request}.',
      link: 'Accept or decline it here:',
    },
    accepted: {
      event: 'you accepted their offer',
      happened:
        'You accepted the offer from {provider} for your {request}. {provider} still has to confirm it.',
      link: 'Follow your request, write to {provider} or cancel:',
    },
    confirmed: {
      event: 'it is confirmed',
      happened: 'Your {request} is confirmed.',
      link: 'Your request:',
    },
    changed: {
      event: 'the time or other details changed',
      happened:
        '{provider} changed the time or other details of your confirmed {request}. What they wrote earlier about the time no longer applies. The new text:',
      link: 'Your request:',
    },
    declined: {
      event: 'they declined it',
      happened: '{provider} declined your {request}.',
      link: 'Your request:',
    },
    canceled: {
      event: 'they canceled it',
      happened: '{provider} canceled your confirmed {request}.',
      link: 'Your request:',
    },
    expired: {
      event: 'nobody answered in time',
      happened: '{provider} did not answer your {request} in time, so it has ended.',
      link: 'Your request:',
    },
    withdrawn: {
      event: 'it is canceled',
      happened: 'Your {request} is canceled. Nothing is held or booked for you.',
      link: 'Your request:',
    },
    withdrawn_confirmed: {
      event: 'it is canceled',
      happened:
        'Your {request} is canceled. {provider} had confirmed it, and can see that it is canceled. The confirmation no longer applies.',
      link: 'Your request:',
    },
  },
  /** An offer that replaces an open one. */
  newOffer: {
    event: 'they made you a new offer',
    happened:
      '{provider} made you a new offer for your {request}. It replaces the earlier one ({offer}), which you can no longer accept.',
    link: 'Accept or decline it here:',
  },
  subscribed: {
    event: 'you are on the list',
    happened: 'You are on the list: {provider} has your {request}. {about}',
    link: 'To unsubscribe at any time, open this page and choose “Cancel the subscription”:',
  },
  unsubscribed: {
    event: 'your subscription has ended',
    happened:
      'Your subscription has ended. We asked {provider} to take your email address off its mailing list.',
    link: 'Your receipt:',
  },
  confirmedQuestion: {
    event: 'it has been answered',
    happened:
      '{provider} closed your {request} as answered. This does not buy or reserve anything for you. To go ahead, call {phone}.',
    link: 'Your question:',
  },
  declinedQuestion: {
    event: 'they said no',
    happened: '{provider} said no to your {request}.',
    link: 'Your question:',
  },
  /** Follows a question if nothing is held in the meantime. */
  noDeadline: 'There is no deadline for your answer.',
  declinedEmergency: {
    event: 'they declined it',
    happened:
      '{provider} declined your {request}. If it is still an emergency, do not wait for a written answer: call {phone} or another company now. If anyone is in danger, call 911.',
    link: 'Your request:',
  },
  acceptedEmergency: {
    event: 'you accepted their offer',
    happened:
      'You accepted the offer from {provider} for your {request}. {provider} still has to confirm it. If you hear nothing soon, call {phone}.',
    link: 'Follow your request, write to {provider} or cancel:',
  },
  storefront: {
    event: 'your preview page is online',
    happened: 'We have your {request}, and your preview page is online.',
    link: 'Open the preview, write to {provider} or cancel it:',
  },
  /** A change to a confirmed request that replaces no text about the time. */
  firstTime: {
    event: 'the time is set',
    happened: '{provider} set the time for your confirmed {request}:',
    link: 'Your request:',
  },
  otherChange: {
    event: 'the time or other details changed',
    happened: '{provider} added or changed details of your confirmed {request}. The new text:',
    link: 'Your request:',
  },
  confirmedStorefront: {
    event: 'your web page can be published',
    happened: '{provider} confirmed your {request}. The page can be published.',
    link: 'Your request:',
  },
  /** The event for an offer of different days; follows the requested days. */
  offeredOther: 'they offer {days} instead',
  /** Introduces the operator’s message when it cancels a request for the person. */
  wrote: '{organization} wrote:',
  openQuestion: '{provider} is still waiting for your answer. Send it on your request’s page:',
  stillOpen: 'The offer is still open:',
  since: 'Since then:',
  laterStep: '- {step}, {at}',
  currentRequest: { request: 'Your request now:', subscription: 'Your subscription now:' },
  facts: {
    service: 'Service: {service}',
    requested: 'What you asked for:',
    item: 'Item: {item}',
    field: '{label} {value}',
    price: 'Price: {price}',
    prices: 'Price list:',
    publishedPrice: '- {price}',
    previousAgreement: 'Previously agreed price: {price}',
    notes: 'About the price: {notes}',
    minimumTerm: 'Shortest rental: {term}',
    withTax: 'Price with sales tax: {total}',
    deposit: 'Deposit: {deposit}, refundable',
    held: 'Held for you until: {until}. If {provider} has not confirmed by then, the hold ends and nothing is booked.',
    heldPastOffer:
      'Held for you until: {until}. The offer ends earlier. If you do not accept it in time, the hold continues, and you can ask {provider} for another offer. If nothing is confirmed before the hold ends, nothing is booked.',
    heldWithOffer:
      'Held for you as long as the offer is open, until: {until}. If you do not accept the offer by then, the hold ends too, and nothing is booked.',
    heldAlongsideOffer: 'What you asked for is held for you until: {until}',
    phone: 'To call {provider}: {phone}',
    calendar: 'Add to your calendar: {url}',
    removeFromCalendar: 'Remove from your calendar: {url}',
    storefront: 'Your page: {url}',
    unpublishedStorefront: 'Your page: open it from your request’s page.',
    storefrontChange:
      'Anyone who has the link can see it; search engines do not list it. To change it or have it published, write to {provider} on your request’s page.',
    storefrontNext: 'Next, {provider} will write to you about the agreement.',
    storefrontRemoved: 'Your web page was taken down.',
    withheld:
      'Also sent to {provider}, but left out of this email to keep it private: {labels}. To correct or add something, write to {provider} on your request’s page.',
    received: 'Received: {at}',
    promised: 'Answer promised by: {deadline}',
    /** The same for a new request without a hold. */
    promisedOrCall: 'Answer promised by: {deadline}. {unanswered}',
    reference: 'Reference: {reference}',
  },
  bring: 'What you need:',
  elsewhere: '{label}: {url}',
  /**
   * For a person who has reached the limit for emails about messages, before and after
   * confirmation, or the limit for emails about changes.
   */
  last: {
    open: 'We will email you again only about an offer or the decision. Later messages appear only on your request’s page.',
    offered:
      'We will email you once more, with the decision. Later messages and offers appear only on your request’s page.',
    confirmed:
      'This is the last email, unless the time changes or the request is canceled. Later messages appear only on your request’s page.',
    changed:
      'This is the last email, unless the request is canceled. Later messages appear only on your request’s page.',
  },
  /** For a request without a street address to a provider that comes to the customer. */
  noAddress:
    '{provider} comes to you, but your request has no street address. Send it in a message, unless you have given it already.',
  /** For a conversation that accepts no more messages. */
  callInstead: 'Nobody reads replies to this message. To reach {provider}, call {phone}.',
  noReplies: 'To write to {provider}, open that page. Nobody reads replies to this message.',
  notMe: {
    request: 'If this was not you, or you want no more messages about this request:',
    subscription: 'If this was not you, or you want no more email:',
  },
} as const;
