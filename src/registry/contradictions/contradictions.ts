import type { Catalog } from '../schemas/catalog.ts';
import type { RecordProblem } from '../describe-issue.ts';
import {
  findCommissionContradictions,
  findPriceContradictions,
  findSalesTaxContradictions,
} from './price-contradictions.ts';
import { checkSentences, listHoldEffects, textsOf } from '../record-texts.ts';
import type { Subsite } from '../schemas/subsite.ts';
import {
  findClosedDaysContradictions,
  findHoursContradictions,
  findMissingHours,
  findOpeningContradictions,
  findResponseTimeContradictions,
} from './time-contradictions.ts';

/**
 * Finds texts that promise a message box on the next page, which appears only for an action with a
 * `messageHint`.
 */
const findMissingMessageHints = ({ actions }: Subsite): RecordProblem[] =>
  actions.flatMap(({ intro = '', messageHint }, index) =>
    messageHint === undefined && /\bnext page\b/i.test(intro)
      ? {
          path: ['actions', index, 'intro'],
          problem:
            'promises something on the next page, but the action has no messageHint, so the receipt does not open a message box. Add messageHint, or correct the text.',
        }
      : [],
  );

/** Finds texts that ask for an email address on a page without a form. */
function findMissingForms(subsite: Subsite): RecordProblem[] {
  if (subsite.actions.length || subsite.contactForm) return [];
  return checkSentences(textsOf(subsite), (sentence) =>
    /\bleave (?:an|your) email address\b|\b(?<!\bno )form on this page\b/i.test(sentence)
      ? 'asks people to fill out a form, but the record has no action and no contactForm, so its page has none. Add contactForm, or correct the text.'
      : undefined,
  );
}

function findHoldContradictions(subsite: Subsite): RecordProblem[] {
  const held = listHoldEffects(subsite).map(({ hours }) => hours);
  if (!held.length) return [];
  return checkSentences(textsOf(subsite), (sentence) => {
    const [, hours] = /\bhold(?:s|ing)?\b.*?\b(\d+) hours?\b/i.exec(sentence) ?? [];
    return hours !== undefined && !held.includes(Number(hours))
      ? `names ${hours} hours, but the action’s effect holds the item for ${held.join(', ')}. Correct one of the two.`
      : undefined;
  });
}

/**
 * Finds texts of a subsite that contradict its hours, closed days, prices, commission, sales tax,
 * holds, response times, message box or form; `networkHours` is the response time of forms without
 * an action. Only common phrases are recognized: text that is reported is probably wrong, and text
 * that is not reported may still be wrong.
 */
export const findContradictions = (subsite: Subsite, networkHours: number): RecordProblem[] => [
  ...findHoursContradictions(subsite, textsOf(subsite)),
  ...findMissingHours(subsite, textsOf(subsite)),
  ...findClosedDaysContradictions(subsite, textsOf(subsite)),
  ...findPriceContradictions(subsite, textsOf(subsite)),
  ...findCommissionContradictions(subsite),
  ...findSalesTaxContradictions(subsite),
  ...findHoldContradictions(subsite),
  ...findMissingMessageHints(subsite),
  ...findMissingForms(subsite),
  ...findResponseTimeContradictions(subsite, networkHours),
];

/** Finds purchase terms of a catalog that contradict the hours or prices of its subsite. */
export function findPurchaseTermsContradictions(
  subsite: Subsite,
  { purchaseTerms = [] }: Catalog,
): RecordProblem[] {
  const texts = purchaseTerms.map((text, index) => ({ path: ['purchaseTerms', index], text }));
  return [
    ...(subsite.hours ? findOpeningContradictions(subsite.hours, texts) : []),
    ...findPriceContradictions(subsite, texts),
  ];
}
