import type { PageTool } from '../../registry/network.ts';

/** A band of scores and how to read it; both ends inclusive. */
export interface Reading {
  from: number;
  to: number;
  text: string;
}

/** Yes-or-no questions with a score of ten points for each yes. */
export interface Audit {
  questions: readonly string[];
  readings: readonly Reading[];
}

/** Points of one yes. */
export const POINTS = 10;

/** Score of so many times yes, 0 to 100 for ten questions. */
export const scoreOf = (yes: number): number => POINTS * yes;

/** How to read a score; scores come in steps of ten, so that every one lies in a band. */
export const readingOf = (audit: Audit, score: number): Reading =>
  audit.readings.find(({ from, to }) => score >= from && score <= to)!;

/** The audits by the slug that a page names in its front matter; the pages say the same in words. */
export const audits = {
  'phone-presence-audit': {
    questions: [
      'The same number appears on your website, your map listing and your invoices.',
      'The number on your website can be tapped on a phone to call it.',
      'Your hours appear next to the number.',
      'During those hours a call is answered by a person within five rings.',
      'The person who answers says the name of the business.',
      'Outside those hours a greeting says when you can be reached.',
      'The greeting was recorded or checked within the last 12 months.',
      'A caller can leave a message; the mailbox is not full.',
      'Messages and missed calls are called back by the next working day.',
      'Someone looks at the list of missed calls every working day.',
    ],
    readings: [
      {
        from: 0,
        to: 40,
        text: 'Callers probably give up. Points 1 to 4 decide whether they reach anyone at all.',
      },
      {
        from: 50,
        to: 70,
        text: 'Callers reach you on good days. Look at the points outside your hours.',
      },
      {
        from: 80,
        to: 100,
        text: 'Your phone works as a front door. Test it again after any change of carrier or staff.',
      },
    ],
  },
  'lead-follow-up-audit': {
    questions: [
      'One named person is in charge of new inquiries on each working day.',
      'Every inquiry is answered by a person within one working day.',
      'An automatic answer says when that will be.',
      'Each inquiry is written down in one place, whichever way it came.',
      'The record shows where the inquiry came from.',
      'The first answer asks for everything that a quote needs.',
      'Quotes go out in writing and carry a date until which they hold.',
      'A quote without an answer is followed up at least twice, on planned days.',
      'Lost inquiries are noted with a reason.',
      'Someone counts inquiries, quotes and orders at least once a month.',
    ],
    readings: [
      {
        from: 0,
        to: 40,
        text: 'Inquiries can get lost unseen. Begin with the first question answered no; the order is the order to mend them in.',
      },
      { from: 50, to: 70, text: 'The basis is there. The gaps are where a busy week will hurt.' },
      {
        from: 80,
        to: 100,
        text: 'The process is in place. Check it with a test inquiry of your own.',
      },
    ],
  },
  'digital-presence-audit': {
    questions: [
      'The first screen of the site says what you do and in which town.',
      'Your phone number and hours appear as text, not only in a picture.',
      'The site opens over HTTPS without a warning.',
      'On a phone the text can be read without zooming or sideways scrolling.',
      'Each service has a page or section of its own, with its area.',
      'At least one price, or how a price is made, can be read.',
      'Name, address and number agree with your map listing.',
      'Holiday hours or the last news are less than 12 months old.',
      'A form or email address works; you have sent yourself a test.',
      'Search engines may read the site: robots.txt does not shut them out, and each page has a title of its own.',
    ],
    readings: [
      {
        from: 0,
        to: 40,
        text: 'A stranger cannot tell what you do or how to reach you. Begin with points 1, 2 and 9.',
      },
      {
        from: 50,
        to: 70,
        text: 'People can find the basics. Points 5 to 8 answer what they ask next.',
      },
      { from: 80, to: 100, text: 'The basics are in order. Check them again twice a year.' },
    ],
  },
} as const satisfies Record<Exclude<PageTool, 'missed-call-calculator'>, Audit>;
