/** The operator's or a provider's inbox: the sign-in page, the list, and one lead. */
export const inbox = {
  title: 'Inbox',
  description: 'Requests to answer.',
  signOut: 'Sign out ({name})',
  undelivered:
    'Messages to providers: {undelivered} not delivered yet, the oldest waiting for {age}; {givenUp} failed; {unaddressed} without an address. Emails to customers: {toCustomers} not delivered. {show}',
  showRequests: 'Show the requests',
  moreThan: 'more than {count}',
  urgent: 'Next to answer',
  upcoming: {
    title: 'Today and tomorrow',
    today: 'Today',
    endsToday: 'Ends today',
    tomorrow: 'Tomorrow',
    endsTomorrow: 'Ends tomorrow',
  },
  find: 'Find a request',
  findHint:
    'By name, email address, phone number or reference. A part is enough, such as four digits of the phone number or a group of four characters of the reference.',
  findButton: 'Find',
  state: 'State',
  anyState: 'Any state',
  service: 'Service',
  anyService: 'Any service',
  olderThan: 'Older than',
  anyAge: 'Any age',
  show: 'Show',
  notFound:
    'No requests match this name, email address, phone number or reference. Check the spelling, or enter only a part: one name, the last four digits of a phone number, or the four characters between two hyphens of a reference. The oldest requests of a large inbox are found only by reference, whole email address or whole phone number.',
  noMatch: 'No requests match.',
  pages: 'Pages',
  newer: 'Newer',
  older: 'Older',
  entry: {
    emergency: 'Emergency',
    call: 'Call the customer: no email was sent',
    agreeOnTime: 'Call the customer: the visit has no time',
    noContact: 'no contact',
    where: '{service}, {at}, reference {reference}',
    spam: 'may be spam',
    undelivered: 'not delivered to the provider yet',
    undeliveredToPerson: 'email to the customer not delivered yet',
  },
} as const;

/** Shortcuts in the inbox. */
export const inboxKeys = {
  title: 'Keyboard shortcuts',
  next: 'Next request',
  previous: 'Previous request',
  open: 'Open the request',
  find: 'Find a request',
  back: 'Back to the inbox',
  help: 'Show or hide this list',
  usage: 'Use these keys outside form fields',
} as const;

/** The sign-in page of the inbox. */
export const signIn = {
  description: 'Sign in.',
  signedOut: 'You are signed out.',
  key: 'Key',
  keyHint: 'Your inbox key. It begins with fk_.',
  submit: 'Sign in',
} as const;

/** One lead in the inbox. */
export const inboxLead = {
  description: 'A lead.',
  withdraw: 'Cancel for the customer',
  origin: '{service}, {at}, {channel}, reference {reference}',
  originWithSource: '{service}, {at}, {channel} with source “{source}”, reference {reference}',
  /** How a request arrived. */
  arrivalChannels: {
    json: 'sent by a program',
    form: 'sent with the form',
    mcp: 'sent by an agent (MCP)',
    a2a: 'sent by an agent (A2A)',
    task: 'sent as an agent’s task',
    import: 'imported',
  },
  promised: 'Answer promised by {deadline}.',
  expires: 'If nobody answers, the request expires.',
  expiresWithHold: 'If nobody answers, the request expires with its hold: {until}.',
  askedBefore: 'The same person asked before: {reference}',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  answer: 'Answer',
  act: 'Action',
  offer: 'Price of the offer',
  message: 'Message',
  neededFor: 'needed only for {answers}',
  acknowledge: 'Without a message, the customer gets no email.',
  send: 'Send the answer',
  history: 'History',
  change: '{state} {author}',
  /** An entry that does not change the state. */
  messageFrom: 'Message written {author}',
  answered: 'Answer written {author}',
  offer_declined: 'Offer declined {author}',
  confirmations: {
    phone_acceptance: 'Offer accepted by phone, confirmed {author}',
    change: 'Time or other details changed {author}',
  },
  offer_confirmed: 'Offer accepted {author}, which confirms the request',
  authors: {
    person: 'by the customer',
    provider: 'by the provider',
    operator: 'by the operator',
    system: 'by the service',
  },
  deliveries: 'Who was notified',
  delivery: '{event}, {channel}: {outcome}, attempts: {attempts}',
  created: 'New request',
  changed: 'Change to “{state}”',
  messaged: 'Message or change of details',
  /** Who was notified. */
  notificationChannels: {
    mail: 'email to the provider',
    webhook: 'the provider’s webhook',
    person: 'email to the customer',
    callback: 'the customer’s program',
    push: 'the customer’s agent',
  },
  arrived: 'arrived {at}',
  nextAttempt: 'next attempt {at}',
  nobody: 'Nobody yet.',
  redeliver: 'Notify the provider again',
  erase: 'Erase',
  eraseConfirmation: 'Erase the person’s data permanently',
} as const;
