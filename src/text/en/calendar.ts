/** Days and times of day. */
export const clock = {
  am: '{time} am',
  pm: '{time} pm',
  noon: 'noon',
  midnight: 'midnight',
  /** Midnight at the end of a day, which people mistake for the midnight at its start. */
  endOfDay: 'the end of {day}',
  dayRange: '{from} to {to}',
  dayWithTime: '{day}, {time}',
} as const;

/** The hours of a service, and whether it is open. */
export const openingHours = {
  everyDay: 'Every day',
  twoDays: '{first} and {last}',
  days: '{first} to {last}',
  hours: '{opens} to {closes}',
  closed: 'Closed',
  /** One or more days and their hours, in a line that lists more of them. */
  row: '{days} {hours}',
  closedRow: '{days} closed',
  namedDay: '{day} ({name})',
  now: 'now',
  today: 'today',
  tomorrow: 'tomorrow',
  opening: '{day} at {time}',
  openUntil: 'Open now, until {time}',
  closedUntil: 'Closed {closed}, opens {opening}',
  /** Follows the name of a service. */
  isClosed: 'is closed',
  isClosedUntil: 'is closed {closed} and opens {opening}',
  /** When someone answers the phone. */
  phoneHours: 'Phone hours: {hours}.',
} as const;

/** Lengths of time. */
export const durations = {
  minutes: { one: '{count} minute', other: '{count} minutes' },
  hours: { one: '{count} hour', other: '{count} hours' },
  days: { one: '{count} day', other: '{count} days' },
  weeks: { one: '{count} week', other: '{count} weeks' },
  months: { one: '{count} month', other: '{count} months' },
  years: { one: 'one year', other: '{count} years' },
  /** When an answer is due. */
  due: 'due in {time}',
  dueAt: 'due by {at}',
  dueNow: 'due now',
  overdue: '{time} overdue',
  /** When a request is answered. */
  within: 'within {time}',
} as const;
