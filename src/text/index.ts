/*
 * The user interface text, grouped by where it appears. Text for software is next to the
 * declarations that it describes.
 */
export * from './en/answer.ts';
export * from './en/customer-notification.ts';
export * from './en/developers.ts';
export * from './en/forms.ts';
export * from './en/inbox.ts';
export * from './en/lead-states.ts';
export * from './en/mail.ts';
export * from './en/pages.ts';
export * from './en/receipt.ts';
export * from './en/services.ts';
export * from './en/visit.ts';
