/** Categories of services. */
export const categories = {
  product: 'Services and goods',
  marketing: 'Business and media',
  misc: 'Policies and accounts',
} as const;

/** The kinds of credentials that a service can have. */
export const credentialNames = {
  license: 'License',
  certification: 'Certification',
  insurance: 'Insurance',
} as const;

/** The states of items that are not available. */
export const unavailableItems = { sold: 'Sold', upcoming: 'Upcoming', past: 'Past' } as const;

/** Words for values and parts of records. */
export const recordWords = {
  yes: 'yes',
  no: 'no',
  free: 'Free',
  freePrice: 'free',
  from: 'From {price}',
  /** The last price of a sold item. */
  was: 'Was {price}',
  onRequest: 'Price on request',
  aMonth: 'a month',
  price: '{what}: {price}',
  commission: 'Commission: {percent}%',
  number: '{credential}, number {number}',
  issuer: '{credential} ({issuer})',
  kindInPlace: '{kind} in {place}',
  /** What a person sent, used after “your”, if the record has no word for it. */
  contactRequest: 'contact request',
  request: 'request',
  /** How fast a service answers. */
  answered: '{answered} of {of} were answered',
  answeredWithin: '{answered} of {of} were answered, half of them within {time}',
  /** How long a request is kept. */
  retention: '{time} after the last change',
  retentionOfDays:
    '{time} after the last change, or after the last requested day if that is later and the request is still open',
} as const;

/** Units that follow an item's numbers, by the last part of the attribute’s name. */
export const units = {
  ft: 'ft',
  in: 'in',
  lb: 'lb',
  lbs: 'lb',
  oz: 'oz',
  gal: 'gal',
  qt: 'qt',
  cuft: 'cu ft',
  percent: '%',
  watts: 'W',
  volts: 'V',
  amps: 'A',
  db: 'dB',
  hours: 'hours',
  minutes: 'minutes',
  years: 'years',
  psi: 'psi',
  ohms: 'Ω',
} as const;

/** The shortest rental of a service. */
export const minimumTerms = {
  /** Next to a price. */
  minimum: 'Minimum: {term}',
  /** Next to a form’s button or an offer. */
  sentence: 'The shortest rental is {term}.',
  notice: 'The shortest rental from {service} is {term}.',
} as const;

/** Notices about a place that a service does not serve. */
export const serviceAreas = {
  zipCode: 'The ZIP code',
  outside: '{place} is outside the service area of {service}, so the request may be declined.',
  outsideArea:
    '{place} is outside the service area of {service} ({area}), so the request may be declined.',
  outsideAreaExcept:
    '{place} is outside the service area of {service} ({area}), so the request may be declined, except for {others}.',
  correct:
    '{notice} If you mistyped it, send {service} a message with the right one, or cancel this request and send a new one.',
} as const;

/**
 * For each kind of business: the heading above what it sells, and the text above its name if its
 * town is unknown.
 */
export const storefrontThemes = {
  generic: { offerings: 'What we offer', kicker: 'Local business' },
  auto: { offerings: 'Services', kicker: 'Auto care' },
  nails: { offerings: 'Treatments', kicker: 'Nail salon' },
  hair: { offerings: 'Services', kicker: 'Hair' },
  lawn: { offerings: 'Lawn care', kicker: 'Yards and gardens' },
  plumber: { offerings: 'Services', kicker: 'Plumbing' },
  bakery: { offerings: 'From the oven', kicker: 'Bakery' },
  restaurant: { offerings: 'On the table', kicker: 'Kitchen' },
  boutique: { offerings: 'The collection', kicker: 'Boutique' },
  contractor: { offerings: 'Our work', kicker: 'Building and repair' },
  petgroomer: { offerings: 'Pet care', kicker: 'Pets' },
} as const;

/** The image in previews of links to a storefront. */
export const storefrontPicture = {
  text: 'A new business shows what it offers. Preview, not open for orders yet.',
  kind: 'Storefront',
} as const;
