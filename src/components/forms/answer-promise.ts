/*
 * Shows in a form when its request will be answered if it is sent now, and warns about the chosen
 * days.
 */
import {
  findAnswerDeadline,
  findDayBeforeAnswer,
  findOpeningBeforeAnswer,
} from '../../site/calendar/answer-deadline.ts';
import { toDateInTimeZone } from '../../site/calendar/days.ts';
import { formatTimeOfDay, isClosedOn } from '../../site/calendar/opening-hours.ts';
import { createTelUrl } from '../../site/phone.ts';
import { addNonBreakingSpaces } from '../../site/words/non-breaking-spaces.ts';
import { formatAnswerDeadline, formatList, formatPlannedDay } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { forms as text } from '../../text/index.ts';
import { readServiceHours } from '../subsite/service-hours.ts';

/** A paragraph in which the phone number is a link. */
function createWarning(words: string, phone: string): HTMLParagraphElement {
  const warning = document.createElement('p');
  words.split(addNonBreakingSpaces(phone)).forEach((part, index) => {
    if (index > 0) {
      const link = document.createElement('a');
      link.href = createTelUrl(phone);
      link.textContent = addNonBreakingSpaces(phone);
      warning.append(link);
    }
    warning.append(part);
  });
  return warning;
}

/**
 * If the service has hours, shows when a request sent now will be answered, in the network's time
 * zone. Warns if that is too late for the first chosen day, or if the service is closed on a chosen
 * day.
 */
export function showAnswerDeadline(form: HTMLFormElement, now: Date): void {
  const promise = form.querySelector<HTMLElement>('[data-respond-hours]');
  if (!promise) return;
  const { service, timeZone } = readServiceHours(form);
  const respondWithinHours = Number(promise.dataset['respondHours']);
  const days = [...form.querySelectorAll<HTMLInputElement>('[data-current-date]')]
    .map(({ value }) => value)
    .filter((day) => day >= toDateInTimeZone(timeZone, now));
  const due = findAnswerDeadline(service, timeZone, { respondWithinHours, days }, now);
  const deadline = formatAnswerDeadline(due.toISOString(), timeZone, service);
  // Without hours, “within 48 hours”, which the page already says, is more precise than a day.
  if (service.hours)
    promise.textContent = addNonBreakingSpaces(fill(text.answeredBy, { deadline }));

  const box = form.querySelector<HTMLElement>('[data-day-warnings]');
  if (!box) return;
  const { phone = '', calendar } = box.dataset;
  const times = { sent: now, due };
  const day = findDayBeforeAnswer(days, timeZone, times);
  const opens = findOpeningBeforeAnswer(service, timeZone, days, times);
  // A calendar of available days already names the closed days.
  const closedDays =
    calendar === undefined ? [...new Set(days)].filter((one) => isClosedOn(service, one)) : [];
  const warnings = [
    day !== undefined
      ? fill(text.answeredAfterDay, { deadline, day: formatPlannedDay(day), phone })
      : opens !== undefined &&
        fill(text.answeredLate, { deadline, opens: formatTimeOfDay(opens), phone }),
    closedDays.length > 0 &&
      fill(text.closedDays, {
        days: formatList(closedDays.map(formatPlannedDay)),
        phone,
      }),
  ]
    .filter((warning) => warning !== false)
    .map(addNonBreakingSpaces);
  // Screen readers read a live region again whenever it changes.
  if (box.textContent === warnings.join('')) return;
  box.replaceChildren(...warnings.map((warning) => createWarning(warning, phone)));
}
