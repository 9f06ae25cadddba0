/** How the customer is notified of a provider's action, as shown to the provider. */
export const customerNotification = {
  /** After an answer that should have been emailed; followed by the reason. */
  saved: 'Your answer was saved but not emailed.',
  page: 'The customer sees this on their page and gets no email about it.',
  mailedIfWritten:
    'The customer sees this on their page. They get an email only if you write a note here.',
  mailed: 'The customer gets this by email and sees it on their page.',
  sent: 'The customer got this by email and sees it on their page.',
  /** Follows `mailed` or `sent` once an email limit is reached; one text for each limit. */
  laterEmails: {
    open: 'After this, we email only offers and your decision.',
    offered: 'After this, we email only your decision.',
    confirmed: 'After this, we email only time changes and a cancellation.',
    changed: 'After this, we email only a cancellation.',
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
