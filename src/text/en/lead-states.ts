/**
 * What each lead state means to the person who sent the lead: the state in a word or two, the
 * headline of the receipt, and what comes next. Some states have more than one entry; for example,
 * a new lead has others if the answer is late or the person left no contact details.
 */
export const states = {
  new: {
    title: 'Received',
    headline: 'Your {request} was sent',
    next: '{provider} will read your request and answer by {deadline}.',
  },
  new_unreachable: {
    title: 'Received',
    headline: 'Your {request} was sent',
    next: '{provider} will answer on this page only, by {deadline}, because you left no phone number or email address. Open this page again by then.',
  },
  new_emergency: {
    title: 'Received',
    headline: 'Call now about your {request}',
    next: '{provider} has your request too, but might not read it before {deadline}, when the written answer is due. Do not wait for that: call. If anyone is in danger, call 911.',
  },
  new_too_late: {
    title: 'Received',
    headline: 'Call now about your {request}',
    next: '{provider} has your request too, but might not read it until after the day that you chose, by {deadline}. A call is faster.',
  },
  new_late: {
    title: 'Received',
    headline: 'Your {request} was sent',
    next: 'An answer from {provider} was due by {deadline}. Call {phone}, or write to them here.',
  },
  subscribed: {
    title: 'On the list',
    headline: 'You are on the list',
    next: '{about} {provider} has your email address. To unsubscribe, choose “Cancel the subscription” on this page.',
  },
  acknowledged: {
    title: 'Read',
    headline: 'Your {request} was read',
    next: '{provider} has read your request.',
  },
  message: {
    title: 'Message for you',
    headline: 'A message about your {request}',
    next: '{provider} wrote to you. You can answer below.',
  },
  replied: {
    title: 'Read',
    headline: 'Your {request} was read',
    next: '{provider} has written to you, as you can see under “Messages”.',
  },
  answered: {
    title: 'You answered',
    headline: 'Your answer was sent',
    next: '{provider} has your answer.',
  },
  offer_declined: {
    title: 'Offer declined',
    headline: 'You declined the offer',
    next: '{provider} has your answer.',
  },
  /** For a message after the person declined the offer; the page says when the answer is due. */
  offer_declined_wrote: {
    title: 'You wrote again',
    headline: 'You wrote again',
    next: 'You declined the offer and then wrote to {provider}, who will answer you.',
  },
  needs_info: {
    title: 'A question for you',
    headline: 'A question about your {request}',
    next: '{provider} needs to know more before it can answer.',
  },
  quoted: {
    title: 'Offer for you',
    headline: 'An offer for your {request}',
    next: '{provider} made you an offer.',
  },
  offer_confirms: {
    title: 'Offer for you',
    headline: 'An offer for your {request}',
    next: '{provider} made you an offer.',
  },
  offer_expired: {
    title: 'Offer expired',
    headline: 'The offer for your {request} expired',
    next: 'The offer from {provider} has expired. Write to {provider} to ask for a new offer.',
  },
  accepted: {
    title: 'Offer accepted',
    headline: 'You accepted the offer',
    next: '{provider} still has to confirm.',
  },
  accepted_emergency: {
    title: 'Offer accepted',
    headline: 'You accepted the offer',
    next: '{provider} still has to confirm. If you hear nothing soon, call.',
  },
  confirmed: {
    title: 'Confirmed',
    headline: 'Your {request} is confirmed',
    next: '{provider} confirmed your request.',
  },
  confirmed_question: {
    title: 'Answered',
    headline: 'Your {request} was answered',
    next: '{provider} closed your {request} as answered. This does not buy or reserve anything for you. To go ahead, call {phone}.',
  },
  declined: {
    title: 'Declined',
    headline: 'Your {request} was declined',
    next: '{provider} cannot do what you asked for. This request is closed.',
  },
  declined_emergency: {
    title: 'Declined',
    headline: 'Your {request} was declined',
    next: '{provider} cannot do what you asked for, and this request is closed. If it is still an emergency, do not wait for a written answer: call {phone} or another company now. If anyone is in danger, call 911.',
  },
  declined_question: {
    title: 'Answered',
    headline: 'The answer to your {request} is no',
    next: '{provider} said no to what you asked. This request is closed.',
  },
  canceled: {
    title: 'Canceled by the provider',
    headline: 'Your {request} was canceled',
    next: '{provider} had confirmed this and has canceled it. The confirmation no longer applies.',
  },
  withdrawn: {
    title: 'Canceled',
    headline: 'Your {request} was canceled',
    next: '{provider} can see that it is canceled. You do not need to do anything else.',
  },
  unsubscribed: {
    title: 'Canceled',
    headline: 'Your {request} was canceled',
    next: 'Your subscription has ended. We asked {provider} to take your email address off its mailing list.',
  },
  withdrawn_confirmed: {
    title: 'Canceled',
    headline: 'Your {request} was canceled',
    next: '{provider} had confirmed this request, and can see that it is canceled. The confirmation no longer applies.',
  },
  expired: {
    title: 'Expired',
    headline: 'Your {request} expired',
    next: 'Nobody confirmed your request in time. You can send a new request.',
  },
  erased: {
    title: 'Erased',
    headline: 'Your {request} was erased',
    next: 'Nothing was kept.',
  },
} as const;

/** The steps of a lead on its receipt: its states, and what the person did. */
export const timeline = {
  new: states.new.title,
  acknowledged: states.acknowledged.title,
  needs_info: states.needs_info.title,
  answered: states.answered.title,
  quoted: states.quoted.title,
  new_offer: 'New offer, replacing the previous one',
  offer_declined: 'You declined the offer',
  offer_accepted: 'You accepted the offer',
  phone_acceptance: 'Offer accepted by phone, according to the provider',
  accepted: states.accepted.title,
  confirmed: states.confirmed.title,
  change: 'New time or other details',
  message: 'A message for you',
  declined: states.declined.title,
  canceled: states.canceled.title,
  withdrawn: states.withdrawn.title,
  expired: states.expired.title,
  erased: states.erased.title,
} as const;

/** The same for a question, for which “confirmed” means “answered”. */
export const questionSteps = { ...timeline, confirmed: states.confirmed_question.title } as const;

/** The steps of a request and of a subscription. */
export const timelines = {
  request: timeline,
  subscription: {
    ...timeline,
    new: states.subscribed.title,
    withdrawn: states.unsubscribed.title,
  },
} as const;

const LIMIT_REACHED_TEXT = 'The request has reached the limit of {maximum} messages and changes';

/** Why the person cannot send a message to the provider. */
export const messageLimits = {
  unanswered:
    'You have sent {maximum} messages in a row without an answer. Wait for the answer, or call {phone}.',
  full: LIMIT_REACHED_TEXT,
  entries: `${LIMIT_REACHED_TEXT}. Call {phone} instead.`,
  length:
    'Your messages about this request have reached the limit of {maximum} characters. Call {phone} instead.',
} as const;

/** Replaces a receipt link or an answer link in a message. */
export const removedLink = '[private link removed]';
