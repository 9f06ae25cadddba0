/*
 * Shows next to the hours whether a place is open now, and announces the closed days of the next
 * two weeks, according to the browser's clock. While a place that answers emergency calls after
 * hours is open, its first request is the primary button rather than the call.
 */
import { describeOpenState, listUpcomingClosedDays } from '../../site/calendar/opening-hours.ts';
import { MINUTE_MS } from '../../site/calendar/durations.ts';
import { addNonBreakingSpaces } from '../../site/words/non-breaking-spaces.ts';
import { fill } from '../../text/fill.ts';
import { servicePage as text } from '../../text/index.ts';
import { readServiceHours } from './service-hours.ts';

function update(): void {
  const now = new Date();

  for (const place of document.querySelectorAll<HTMLElement>('[data-open-now]')) {
    const { service, timeZone } = readServiceHours(place);
    const { afterHours } = place.dataset;
    const state = describeOpenState({ ...service, afterHours }, timeZone, now);
    place.textContent = addNonBreakingSpaces(state?.text ?? '');
    place.classList.toggle('is-open', state?.open ?? false);
  }

  for (const buttons of document.querySelectorAll<HTMLElement>('[data-calls-first]')) {
    const { service, timeZone } = readServiceHours(buttons);
    const request = buttons.querySelector('.button:not([href^="tel:"])');
    if (!request) continue;
    const isOpen = describeOpenState(service, timeZone, now)?.open ?? false;
    request.classList.toggle('quiet', !isOpen);
    buttons.querySelector('[href^="tel:"]')?.classList.toggle('quiet', isOpen);
  }

  for (const notice of document.querySelectorAll<HTMLElement>('[data-closed-soon]')) {
    const { service, timeZone } = readServiceHours(notice);
    const days = listUpcomingClosedDays(service, timeZone, now);
    notice.textContent = addNonBreakingSpaces(fill(text.closedOn, { days: days.join('; ') }));
    notice.hidden = !days.length;
  }
}

update();
// A page may stay open past closing time, in the background or in the history.
addEventListener('pageshow', update);
document.addEventListener('visibilitychange', update);
setInterval(update, MINUTE_MS);
