/*
 * Shows next to the hours whether a place is open now, and announces the closed days of the next
 * two weeks, according to the browser's clock. While a place that answers emergency calls after
 * hours is open, its first request is the primary button rather than the call.
 */
import { describeOpenState, listComingClosedDays } from '../../site/calendar/opening-hours.ts';
import { addNonBreakingSpaces } from '../../site/words/non-breaking-spaces.ts';
import { fill } from '../../text/fill.ts';
import { servicePage as text } from '../../text/index.ts';
import { readServiceHours } from './service-hours.ts';

const now = new Date();

for (const place of document.querySelectorAll<HTMLElement>('[data-open-now]')) {
  const { service, timeZone } = readServiceHours(place);
  const { afterHours } = place.dataset;
  const state = describeOpenState({ ...service, afterHours }, timeZone, now);
  place.textContent = addNonBreakingSpaces(state?.text ?? '');
  place.classList.toggle('is-open', state?.open);
}

for (const buttons of document.querySelectorAll<HTMLElement>('[data-calls-first]')) {
  const { service, timeZone } = readServiceHours(buttons);
  const request = buttons.querySelector('.button:not([href^="tel:"])');
  if (!request || !describeOpenState(service, timeZone, now)?.open) continue;
  request.classList.remove('quiet');
  buttons.querySelector('[href^="tel:"]')?.classList.add('quiet');
}

for (const notice of document.querySelectorAll<HTMLElement>('[data-closed-soon]')) {
  const { service, timeZone } = readServiceHours(notice);
  const days = listComingClosedDays(service, timeZone, now);
  notice.textContent = addNonBreakingSpaces(fill(text.closedOn, { days: days.join('; ') }));
  notice.hidden = !days.length;
}
