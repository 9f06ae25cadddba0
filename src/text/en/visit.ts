/** Where and when a confirmed request takes place, for the person. */
export const visit = {
  where: 'Where',
  /** For an item that is sold, not rented. */
  whereUnlessAgreed: '{address}, unless you agreed on delivery or another place',
  hours: 'Hours',
  closedOn: 'closed on {days}',
  /** The time of a confirmed day on which the provider is closed. */
  closedThen: '{provider} is closed on {days}. Ask them how it works then.',
  closedUnlessOtherwiseWritten:
    '{provider} is closed on {days}. Unless they wrote to you about it, ask them how it works then.',
  hoursUnlessOtherwiseWritten: '{hours}, unless {provider} wrote you other times',
  time: 'Time',
  asDescribed: 'At your place, as you described it',
  atYourPlace: 'At your place',
  /** For a person who has written nothing that may be a street address. */
  sendAddress:
    'At your place. Your request has no street address: call {provider}, or send it in a message.',
  /** For a person who has written something about the place that is not a full street address. */
  checkAddress:
    'At your place. {provider} has what you wrote; if the street address is not in it, send it in a message.',
  timeToBeAgreed: '{provider} will agree on a time with you.',
  timeNamed: 'See the message from {provider}.',
  timeInMessage:
    'See the message from {provider}. If it names no time, {provider} will agree on one with you.',
  timeInChange:
    'See the change from {provider}. If it names no time, {provider} will agree on one with you.',
  timeInOffer:
    'See the offer from {provider}. If it names no time, {provider} will agree on one with you.',
  noDay: 'No day was stated. If you need one, ask {provider}.',
  dayInOffer: 'See the offer from {provider}. If it names no day and you need one, ask {provider}.',
  dayInMessage:
    'See the message from {provider}. If it names no day and you need one, ask {provider}.',
} as const;
