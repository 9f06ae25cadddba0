/* Shows next to the hours whether a place is open now, according to the browser's clock. */
import type { OpeningHours } from '../../registry/opening-hours.ts';
import { openState } from '../../site/calendar/opening-hours.ts';
import { unbroken } from '../../site/words/unbroken.ts';

for (const place of document.querySelectorAll<HTMLElement>('[data-hours]')) {
  const hours = JSON.parse(place.dataset['hours']!) as OpeningHours;
  const { open, text } = openState(
    hours,
    place.dataset['timeZone']!,
    new Date(),
    place.dataset['afterHours'],
  );
  place.textContent = unbroken(text);
  place.classList.toggle('is-open', open);
}
