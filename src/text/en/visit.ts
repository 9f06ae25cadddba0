/** The inputs for the day and time of a visit in a provider’s answer. */
export const visitInputs = {
  dayLabel: 'Day of the visit',
  timeLabel: 'Time of the visit',
  hint: 'Your message will begin with this day and time.',
  /** The first sentence of the message to the customer. */
  dayAndTime: 'We will come {day} at {time}.',
  day: 'We will come {day}.',
  chooseDay: 'Choose the day of the visit.',
  chooseTime: 'Choose the time of the visit.',
  pastTime: 'That time has passed. Choose a time after {now}.',
  /** For an answer in the inbox that cannot set the time of a visit. */
  unsent:
    'Only an offer, a confirmation or a change sends the day and time of a visit. Choose one of them, or write the time in your message and clear it here.',
  /** For an offer that confirms the visit automatically. */
  missing:
    'You named no time for the visit, and it is confirmed as soon as the customer accepts. Choose a day and time, or check “{box}”.',
  later: 'We will agree on the time later',
} as const;

/** Where and when a confirmed request takes place, as shown to the person. */
export const visit = {
  where: 'Where',
  /** For an item that is sold, not rented. */
  whereUnlessAgreed: '{address}, unless you agreed on delivery or another place',
  hours: 'Hours',
  closedOn: 'closed on {days}',
  /** The time of a confirmed day on which the provider is closed. */
  closedThen: '{provider} is closed on {days}. Ask them what to do then.',
  closedUnlessOtherwiseWritten:
    '{provider} is closed on {days}. Unless they wrote to you about it, ask them what to do then.',
  hoursUnlessOtherwiseWritten: '{hours}, unless {provider} gave you other times',
  time: 'Time',
  asDescribed: 'At your address',
  atYourPlace: 'At your place',
  /** For a person who has written nothing that may be a street address. */
  sendAddress:
    'At your place. Your request has no street address: call {provider}, or send it in a message.',
  /** For a person who has written something about the place that is not a full street address. */
  checkAddress:
    'At your place. {provider} has what you wrote; if the street address is not in it, send it in a message.',
  timeToBeAgreed: '{provider} will agree on a time with you.',
  timeNamed: 'See the message from {provider}.',
  timeNamedInOffer: 'See the offer from {provider}.',
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
