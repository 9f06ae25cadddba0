import type { SearchPhrases } from '../../registry/search-phrases.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { type ClosedDay, listClosedDays } from '../../site/calendar/opening-hours.ts';
import { listOfferedActions } from '../../site/registry.ts';
import { formatRetention } from '../../site/words/record-words.ts';
import { formatResponseTime, capitalize } from '../../site/words/words.ts';
import {
  selectSectionPhrases,
  titleAndPathOf,
  joinPieces,
  parseSections,
} from './markdown-sections.ts';
import { type Source, SUMMARY_WEIGHT } from './passage.ts';

const PRICE_TERMS = 'price cost charge fee rate pay';
const AREA_TERMS = 'where area town city county serve come deliver';
const HOURS_TERMS = 'when open closed holiday hours opening time day available weekend';

const formatPriceText = ({
  unit,
  amount,
  currency,
  notes,
}: NonNullable<Subsite['pricing']>[number]) =>
  `${capitalize(unit)}: ${amount} ${currency}.${notes ? ` ${notes}` : ''}`;

/** One sentence for each day, because a long list is hard to read. */
const formatClosedDaysText = (closedDays: readonly ClosedDay[], afterHours?: string) =>
  [
    ...listClosedDays(closedDays).map((day) => `We are closed on ${day}.`),
    ...(afterHours ? [`When we are closed: ${afterHours}.`] : []),
  ].join(' ');

export function createSubsitePassages(subsite: Subsite, asked: SearchPhrases = {}): Source[] {
  const { name, title, url, purpose, intro, serviceArea, availability } = subsite;
  const { closedDays, afterHours, pricing = [], facts = [], guide = [], contactForm } = subsite;
  // One passage has both, so that nobody reads the weekly hours without the exceptions.
  const opening = [
    ...(availability ? [`Availability: ${availability}.`] : []),
    ...(closedDays?.length ? [formatClosedDaysText(closedDays, afterHours)] : []),
  ];
  const fact = (text: string, more?: Partial<Source>): Source => ({
    subsite: name,
    kind: 'fact',
    title,
    text,
    path: url,
    ...more,
  });
  return [
    fact(purpose, { weight: SUMMARY_WEIGHT }),
    ...facts.map((text, index) => fact(text, { asked: asked[`facts.${index}`] })),
    ...(serviceArea
      ? [
          fact(`Service area: ${serviceArea}.`, {
            kindTerms: AREA_TERMS,
            asked: asked['serviceArea'],
            place: serviceArea,
          }),
        ]
      : []),
    ...(opening.length
      ? [fact(opening.join(' '), { kindTerms: HOURS_TERMS, asked: asked['availability'] })]
      : []),
    ...pricing.map((price, index) =>
      fact(formatPriceText(price), {
        kind: 'price',
        kindTerms: PRICE_TERMS,
        asked: asked[`pricing.${index}`],
      }),
    ),
    ...guide.flatMap((step, index) =>
      joinPieces([step.text]).map((text) =>
        fact(text, {
          kind: 'guide',
          title: `${title}: ${step.title}`,
          asked: asked[`guide.${index}`],
        }),
      ),
    ),
    ...parseSections(intro ?? '').map((section) =>
      fact(section.text, {
        kind: 'page',
        ...titleAndPathOf(section, { title, path: url }),
        asked: selectSectionPhrases(section, asked),
      }),
    ),
    ...listOfferedActions(subsite).map((action) =>
      fact(
        [
          action.intro ?? action.description,
          capitalize(
            [
              ...(action.purpose === 'subscription'
                ? []
                : [`answered ${formatResponseTime(action.respondWithinHours, subsite)}`]),
              `erased ${formatRetention(action)}.`,
            ].join('; '),
          ),
        ].join(' '),
        { kind: 'action', title: `${title}: ${action.title}`, path: `${url}#${action.verb}` },
      ),
    ),
    ...(contactForm
      ? [
          fact(contactForm.text, {
            kind: 'action',
            title: `${title}: ${contactForm.title}`,
            path: `${url}#contact`,
            weight: SUMMARY_WEIGHT,
          }),
        ]
      : []),
  ];
}
