/* Shows next to the hours whether a place is open now, according to the browser's clock. */
import type { OpeningHours } from '../../registry/opening-hours.ts';
import { describeOpenState } from '../../site/calendar/opening-hours.ts';
import { addNonBreakingSpaces } from '../../site/words/non-breaking-spaces.ts';

for (const place of document.querySelectorAll<HTMLElement>('[data-hours]')) {
  const hours = JSON.parse(place.dataset['hours']!) as OpeningHours;
  const { open, text } = describeOpenState(
    hours,
    place.dataset['timeZone']!,
    new Date(),
    place.dataset['afterHours'],
  );
  place.textContent = addNonBreakingSpaces(text);
  place.classList.toggle('is-open', open);
}
