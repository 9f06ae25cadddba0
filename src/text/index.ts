/*
 * The user interface text, grouped by where it appears. Text for software is next to the
 * declarations that it describes. To add a language, add a folder next to `en` with the same names
 * and placeholders, and select it here.
 */
export {
  answer,
  answers,
  confirmationPrice,
  priceMistakes,
  stateChanges,
  updateAuthors,
  offerInputs,
  providerStates,
  messageAuthors,
} from './en/answer.ts';
export {
  apiReference,
  capabilityCatalog,
  capabilityPage,
  copyButton,
  developers,
  receiptCheck,
  sandboxConsole,
  schemaTable,
  verdicts,
} from './en/developers.ts';
export {
  contact,
  formOutcome,
  forms,
  freeDays,
  offerings,
  relayAdvice,
  storefrontName,
  unmatchedSubmission,
} from './en/forms.ts';
export { inbox, inboxKeys, inboxLead, signIn } from './en/inbox.ts';
export {
  mailedOffer,
  personMail,
  providerMail,
  customerNotification,
  shownTerms,
  suspicions,
} from './en/mail.ts';
export { states, timeline } from './en/lead-states.ts';
export { footer, frame, notFound, problemPage } from './en/pages.ts';
export {
  auditTool,
  drawings,
  items,
  machineLinks,
  missedCallCalculator,
  pictures,
  puzzle,
  search,
  servicePage,
  storefront,
} from './en/services.ts';
export {
  conversation,
  endedOffer,
  endedOfferReasons,
  customerForm,
  manage,
  notMe,
  receipt,
  rejection,
  visit,
} from './en/receipt.ts';
