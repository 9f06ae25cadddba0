/** What to enter in a field of a form, by kind of field. */
export const fieldInstructions = {
  day: 'Choose a date.',
  emailAddress: 'Enter an email address, for example dana@example.com.',
  phoneNumber:
    'Enter a phone number with its area code and without an extension, for example (727) 555-0142.',
  /** For a phone number without a plus sign that has too few or too many digits. */
  phoneDigits: {
    one: 'This number has {count} digit. A US number has 10, with the area code.',
    other: 'This number has {count} digits. A US number has 10, with the area code.',
  },
  /** For a number that has valid characters but cannot be anyone's phone number. */
  invalidPhone:
    'This number is not valid. Check the digits and the area code, for example (727) 555-0142.',
  zipCode: 'Enter a 5-digit ZIP code.',
  option: 'Choose one of these.',
  item: 'Choose an item.',
  service: 'Choose a service.',
  name: 'Enter a name with at least one letter or number.',
  /** For a text field, by the form of its label: “Your name”, “Neighborhood”, or a question. */
  ownText: 'Enter {label}.',
  text: 'Enter the {label}.',
  answer: 'Write an answer.',
  fewWords: 'Write a few words here.',
  tooLong: 'Shorten this to {max} characters. It has {count} now.',
  notBefore: 'Choose the same day as “{label}” or a later day.',
  contact: 'Enter a phone number or an email address so that we can reach you.',
} as const;

/** What to enter in a number field, depending on its limits. */
export const numberInstructions = {
  number: {
    any: 'Enter a number.',
    between: 'Enter a number from {minimum} to {maximum}.',
    atLeast: 'Enter a number of at least {minimum}.',
    atMost: 'Enter a number of at most {maximum}.',
  },
  integer: {
    any: 'Enter a whole number.',
    between: 'Enter a whole number from {minimum} to {maximum}.',
    atLeast: 'Enter a whole number of at least {minimum}.',
    atMost: 'Enter a whole number of at most {maximum}.',
  },
} as const;

/** Options that are not in any record. */
export const fieldOptions = {
  placeholder: 'Choose one',
  noAnswer: 'Skip this question',
  unsure: 'Not sure',
} as const;

/** What is wrong with a storefront’s offerings; each text follows the number of the row. */
export const offeringFaults = {
  namedOffering: '{offering} ({name})',
  noName: 'needs a name',
  longName: 'has a name of more than 80 characters',
  longDescription: 'has a description of more than 500 characters',
  price: 'needs a price in dollars with at most two decimal places, for example 45 or 12.50',
} as const;
