/** How the customer is notified of a provider's action, as shown to the provider. */
export const customerNotification = {
  /** After an answer that should have been emailed; followed by the reason. */
  saved: 'Your answer was saved but not emailed.',
  page: 'The customer sees this on their page and gets no email about it.',
  mailedIfWritten:
    'The customer sees this on their page. They get an email only if you write a note here.',
  mailed: 'The customer gets this by email and sees it on their page.',
  /** For the last message that is emailed, before and after confirmation. */
  mailedLast: {
    open: 'The customer gets this by email and sees it on their page. It is the last message that we email. After this, we email only offers and your decision.',
    offered:
      'The customer gets this by email and sees it on their page. It is the last offer that we email. After this, we email only your decision.',
    confirmed:
      'The customer gets this by email and sees it on their page. It is the last message that we email. After this, we email only time changes and a cancellation.',
    changed:
      'The customer gets this by email and sees it on their page. It is the last change that we email. After this, we email only a cancellation.',
  },
  unmailed: {
    noContact:
      'The customer sees this only on their page: they left no email address or phone number.',
    noEmail: 'The customer sees this only on their page: they left no email address.',
    unwanted:
      'The customer sees this only on their page: they get no automatic email about this request.',
    suspected:
      'The customer sees this only on their page: we do not email it because the request may be spam.',
    limit:
      'The customer sees this only on their page: we have already sent the maximum number of emails about this request.',
    dailyLimit:
      'The customer sees this only on their page: their address has reached its daily email limit.',
    tooOld: 'The customer sees this only on their page: it was too late to email it.',
    unsent: 'The customer sees this only on their page: the email about it was not sent.',
    addressRejected:
      'The customer sees this only on their page: the mail server rejected their email address.',
    noMailServer: 'The customer sees this only on their page: this service does not email them.',
  },
  outdated:
    'The customer gets no email about this, because a later message or change made it unnecessary.',
  call: 'Call them at {phone}.',
  write: 'Write to them at {email}.',
} as const;
