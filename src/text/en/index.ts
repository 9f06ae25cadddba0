/* The English texts. The catalog of any other language has the same keys. */
export * from './answer.ts';
export * from './calendar.ts';
export * from './customer-notification.ts';
export * from './developers.ts';
export * from './fields.ts';
export * from './forms.ts';
export * from './inbox.ts';
export * from './lead-states.ts';
export * from './mail.ts';
export * from './notices.ts';
export * from './pages.ts';
export * from './receipt.ts';
export * from './records.ts';
export * from './services.ts';
export * from './terms.ts';
export * from './visit.ts';
