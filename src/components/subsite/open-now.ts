/*
 * Shows next to the hours whether a place is open now, and announces the closed days of the next two
 * weeks, according to the browser's clock.
 */
import {
  describeOpenState,
  listComingClosedDays,
  type ServiceHours,
} from '../../site/calendar/opening-hours.ts';
import { addNonBreakingSpaces } from '../../site/words/non-breaking-spaces.ts';
import { fill } from '../../text/fill.ts';
import { servicePage as text } from '../../text/index.ts';

const now = new Date();

for (const place of document.querySelectorAll<HTMLElement>('[data-open-now]')) {
  const service = JSON.parse(place.dataset['openNow']!) as ServiceHours;
  const state = describeOpenState(service, place.dataset['timeZone']!, now);
  place.textContent = addNonBreakingSpaces(state?.text ?? '');
  place.classList.toggle('is-open', state?.open);
}

for (const notice of document.querySelectorAll<HTMLElement>('[data-closed-soon]')) {
  const service = JSON.parse(notice.dataset['closedSoon']!) as ServiceHours;
  const days = listComingClosedDays(service, notice.dataset['timeZone']!, now);
  notice.textContent = addNonBreakingSpaces(fill(text.closedOn, { days: days.join('; ') }));
  notice.hidden = !days.length;
}
