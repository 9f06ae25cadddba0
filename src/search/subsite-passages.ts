import type { SearchPhrases } from '../registry/asked.ts';
import type { Subsite } from '../registry/subsite.ts';
import { offeredActions } from '../site/registry.ts';
import { daysInWords, hoursInWords, sentence } from '../site/words/words.ts';
import { askedWith, placeOf, readable, sectionsOf } from './markdown-sections.ts';
import { type Source, SUMMARY } from './passage.ts';

const PRICE = 'price cost charge fee rate pay much';
const AREA = 'where area town city county serve come deliver';
const HOURS = 'when open hours opening time day available weekend';

const priceText = ({ unit, amount, currency, notes }: NonNullable<Subsite['pricing']>[number]) =>
  `${sentence(unit)}: ${amount} ${currency}.${notes ? ` ${notes}` : ''}`;

/** The text of a subsite’s own page. */
export function subsitePassages(subsite: Subsite, asked: SearchPhrases = {}): Source[] {
  const { name, title, url, purpose, intro, serviceArea, availability } = subsite;
  const { pricing = [], facts = [], guide = [], contactForm } = subsite;
  const fact = (text: string, more?: Partial<Source>): Source => ({
    subsite: name,
    kind: 'fact',
    title,
    text,
    path: url,
    ...more,
  });
  return [
    fact(purpose, { weight: SUMMARY }),
    ...facts.map((text, index) => fact(text, { asked: asked[`facts.${index}`] })),
    ...(serviceArea
      ? [
          fact(`Service area: ${serviceArea}.`, {
            sort: AREA,
            asked: asked['serviceArea'],
            place: serviceArea,
          }),
        ]
      : []),
    ...(availability
      ? [fact(`Availability: ${availability}.`, { sort: HOURS, asked: asked['availability'] })]
      : []),
    ...pricing.map((price, index) =>
      fact(priceText(price), { kind: 'price', sort: PRICE, asked: asked[`pricing.${index}`] }),
    ),
    ...guide.flatMap((step, index) =>
      readable([step.text]).map((text) =>
        fact(text, {
          kind: 'guide',
          title: `${title}: ${step.title}`,
          asked: asked[`guide.${index}`],
        }),
      ),
    ),
    ...sectionsOf(intro ?? '').map((section) =>
      fact(section.text, {
        kind: 'page',
        ...placeOf(section, { title, path: url }),
        asked: askedWith(section, asked),
      }),
    ),
    ...offeredActions(subsite).map((action) =>
      fact(
        [
          action.intro ?? action.description,
          `Answered within ${hoursInWords(action.respondWithinHours)};`,
          `erased ${daysInWords(action.retentionDays)} after its last change.`,
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
            weight: SUMMARY,
          }),
        ]
      : []),
  ];
}
