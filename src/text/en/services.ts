/** The page for a service. */
export const servicePage = {
  error: 'Error: {service}',
  account: 'Account needed',
  prices: 'Prices',
  otherPrices: 'Other prices',
  commission: 'Commission',
  deposit: 'Refundable deposit',
  price: 'Price',
  priceFor: 'For',
  free: 'Free',
  where: 'Where',
  when: 'When',
  answer: 'Answer',
  promise: '{action}: {response}',
  promiseWhenClosed: 'If we are closed when that time is up, within {after} after we open',
  measured: '; {answers}',
  inBusiness: 'In business',
  since: 'Since {year}',
  listed: 'Listed',
  hours: 'Hours',
  day: 'Day',
  whileClosed: 'When we are closed: {answered}.',
  /** Closed days in the next two weeks. */
  closedOn: 'Closed on {days}.',
  closedDays: 'Closed days: {days}.',
  /** Follows “Closed now”, for emergencies. */
  sameNumber: 'in an emergency, call the same number',
  /** The items that have not been sold. */
  available: '{items} available',
  guide: 'Guide',
  facts: 'Good to know',
  more: 'More from {service}',
  access: 'How to get an account',
  accessFor: 'For {whom}.',
  seeItems: 'See {items}',
  play: 'Play',
} as const;

/** Links for software that reads or uses the service. */
export const machineLinks = {
  title: 'For AI agents',
  manifest: 'Manifest',
  manifestNote: 'the record for this page',
  withData: 'Manifest with data',
  withDataNote: 'with facts and snapshots',
  markdown: 'Markdown',
  markdownNote: 'this page as text',
  address: '{name}: {note}. {request}',
  requests: 'Requests: {request}',
  tools: 'MCP tools at {endpoint}: {tools}',
  capabilities: 'Capabilities: {capabilities}',
} as const;

/** Catalog items, in a list and on their own pages. */
export const items = {
  none: 'Nothing is listed at the moment.',
  show: 'Show',
  everything: 'Everything',
  anyPrice: 'Any price',
  price: 'Price',
  noMatch: 'No item matches these choices.',
  availability: 'Availability',
  anyAvailability: 'Any availability',
  available: 'Available',
  upTo: 'Up to {most}',
  between: '{from} to {to}',
  over: 'Over {least}',
  on: '{day}',
  freeDays: 'Available days and price',
  lights: 'Lights on: {houses}',
  ask: 'Ask about this {noun}',
  about: 'Ask about: {item}',
  listed: 'Listed {day}',
  published: 'Published {day}',
  more: 'More {items}',
  purchaseTerms: 'How you get it',
  /** On the page of a sold item, depending on whether a page lists the sold items. */
  somethingLike: 'Looking for something like it? Call {phone}.',
  somethingLikeListed: 'Looking for something like it? Call {phone}, or see “{page}”.',
} as const;

/** Photos that belong to records. */
export const pictures = {
  credit: 'Photo: {credit}',
  creditWithLicense: 'Photo: {credit}, {license}',
  license: 'Photo license: {license}',
  none: 'No photo yet: ask us for one.',
  noneInList: 'No photos yet: ask us for a photo of any item.',
} as const;

/** Scale drawings of items, and their descriptions for people who cannot see them. */
export const drawings = {
  title: '{item}, drawn to scale',
  side: 'From the side: {width} across, {height} high.',
  above: 'From above: {width} by {depth}.',
  round: 'From above: {width} across.',
  oneSide: 'From above: {width} wide.',
  seats: { one: 'It seats 1 person.', other: 'It seats {count} people.' },
  floor: 'It needs {width} by {depth} of floor space.',
  stack: 'A stack of {count}. Each holds {volume} cubic feet, as much as a cube {edge} on a side.',
  toScale: 'Drawn to scale.',
  sameScale: 'All drawings are to the same scale.',
  grid: 'Each square is one foot.',
  person: 'The person is {height} tall.',
  standing: 'The person standing is {height} tall.',
  people: 'The people show the scale.',
  coin: 'The small circle is a quarter.',
  floorLine: 'The outer line shows the floor space needed.',
  cubes: 'Each piece is drawn as a cube of the same volume.',
  dashed: 'The exception is a dashed outline: only its width is to scale.',
} as const;

/** The search on the front page and its results. */
export const search = {
  need: 'What do you need?',
  needsScript: 'Search needs JavaScript. All services are listed below.',
  results: 'Search results',
  resultsFor: '{query}: search results',
  description: 'What {network} has for “{query}”.',
  allServices: 'See all services',
  show: 'Show',
  everything: 'Everything',
  showAll: { one: 'Show the result', other: 'Show all {count} results' },
  count: { one: '{count} result', other: '{count} results' },
  closest: '{notOffered} The closest services are below.',
  /** The same if some results are items. */
  closestMatches: '{notOffered} The closest matches are below.',
  /** The kind of a result; follows its title. */
  kinds: {
    account: 'Account needed',
    information: 'Information',
    request: 'Request',
    service: 'Service',
  },
  /** Why there are no close results. */
  notOffered: 'We don’t do {service}.',
  nothingFound: 'We found nobody here who does that.',
  uncertain: 'We are not sure that anyone here does that.',
  notUnderstood: 'We did not understand this. Ask in English or Spanish.',
  /** The answer to a query that contains only a time, such as “tonight”. */
  noNeed: 'This does not say what you need. Name a thing or a job, such as a trailer or a repair.',
  languages: 'We found nobody here who does that. The search understands English and Spanish.',
  callOf: 'Call {phone}, {service}',
  failed: 'Search cannot be loaded at the moment. Clear the field to see everything.',
  askPerson: 'Ask a person: call {phone} or write to {email}.',
} as const;

/** The light puzzle. */
export const puzzle = {
  needsScript:
    'The game needs JavaScript, which is turned off in your browser. The boards below can be played on paper, with coins for the lights.',
  board: 'Board',
  size: '{board} ({columns} by {rows})',
  random: 'A random board',
  instructions:
    'Press a house to switch its light and the lights beside, above and below it. Turn off every light. Use the arrow keys to move from house to house.',
  houses: 'Houses',
  on: '{house}, light on',
  off: '{house}, light off',
  undo: 'Undo',
  restart: 'Start over',
  hint: 'Hint',
  next: 'Next board',
  presses: { one: '{count} press', other: '{count} presses' },
  lights: { one: '{count} light', other: '{count} lights' },
  dark: 'All dark after {presses}; {fewest} would have been enough. Good night!',
  darkInFewest: 'All dark after {presses}, the fewest possible. Good night!',
  press: 'Press {house}. From here, you can finish in {presses}.',
  state: '{lights} on after {presses}. This board can be solved in {fewest}.',
} as const;

/** How a preview storefront is published, for its receipt and its email. */
export const publishing = {
  steps: [
    'For now, it is a free preview. It leaves out sentences with phone numbers, email addresses or web addresses.',
    'To publish it, {operator} checks that the business is yours and sends you an agreement. You pay nothing before you agree.',
    'Once you agree, {operator} publishes it with the contact details in your text, at an address that contains only the business name. Search engines can then list it.',
    'To show a phone number or email address that is not in your text, send it to us in a message.',
  ],
  price: 'Price once it is published: {price}.',
} as const;

/** A storefront, as a preview and as a published page. */
export const storefront = {
  title: '{name} (preview)',
  nameInPlace: '{name}, {place}',
  description: '{name}, a preview.',
  publishedDescription: 'What {name} offers, with prices.',
  /** For the owner, who came from the receipt. */
  back: 'Back to your request',
  bar: 'Preview',
  preview: '{preview} Not open for orders yet.',
  previewWord: 'Preview.',
  madeWith: 'Made with {maker}.',
  /** In a preview, replaces a name that consists only of contact details. */
  hiddenName: 'Name appears once published',
  example: 'Example',
  exampleName: 'A product or service',
  exampleDescription: 'What it includes, and its price.',
  noOrders:
    '{name} takes no orders or payments on this page yet. If you call {phone} or write to {email}, you reach {operator}, not {name}.',
  contact: 'About this page',
  askOperator:
    '{name} takes no orders or payments on this page. {operator} publishes it for the owner. If you call {phone} or write to {email}, you reach {operator}, not {name}.',
  address: 'The address of this preview is {address}.',
  exampleOffering: 'The product or service above is an example. The owner has not listed any yet.',
  ownerNote: 'Prices and descriptions come from the owner and can change.',
  start: 'Start a page like this',
} as const;

/** An audit: a person answers the questions, and a script scores the answers. */
export const auditTool = {
  title: 'Your audit',
  sum: 'Count your “yes” answers. Each is worth {points} points. With {count} “yes” answers, the score is {count} × {points} = {score}: {reading}',
  yes: 'Yes',
  no: 'No',
  of: '{score} of {most}',
  score: 'Score',
  answered: 'Answered: {answered} of {most}.',
  result: '{count} “yes” × {points} points = {score}.',
  gaps: 'Your “no” answers, in the order to fix them',
  again: 'Start again',
} as const;

/** The missed-call cost calculator. */
export const missedCallCalculator = {
  title: 'Your numbers',
  example: 'The calculation below uses example numbers. Replace them with your own, line by line.',
  incomplete: 'Enter all five numbers to see the result.',
  year: '{sum} a year, if nothing changes',
  caption: 'How it adds up',
  line: 'Line',
  sum: 'Sum',
  result: 'Result',
  note: 'Revenue, not profit. The five numbers are yours; the calculator adds no averages.',
  fault: '{label}: enter a number from 0 to {most}.',
  numbers: {
    calls: {
      label: 'Calls per week',
      hint: 'Your call log for a normal week, not counting suppliers and family.',
    },
    missed: {
      label: 'Missed, in percent',
      hint: 'Out of every 100 calls, how many you miss; if you miss 8 of 40 calls, enter 20.',
    },
    lost: {
      label: 'Never reached, in percent',
      hint: 'Out of every 100 missed callers, how many neither call back nor answer when you call.',
    },
    booked: {
      label: 'Would book, in percent',
      hint: 'Out of every 100 new callers whom you reach, how many book a job.',
    },
    value: {
      label: 'Value of a job, in dollars',
      hint: 'The total of your last 10 invoices divided by 10.',
    },
  },
  steps: {
    missed: 'Missed per week',
    lost: 'Callers lost per week',
    jobs: 'Jobs per week',
    week: 'Dollars per week',
    month: 'Dollars per month',
    year: 'Dollars per year',
  },
} as const;
