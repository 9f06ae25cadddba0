/*
 * Script for the forms, which also work without it. It generates a key so that a double click or a
 * retry creates only one lead, allows one submission at a time, and shows error messages before
 * anything is sent.
 */
import { findClosestElement } from '../event-target.ts';
import { toDateInTimeZone } from '../../site/calendar/days.ts';
import { findHoldEnd } from '../../site/calendar/hold-end.ts';
import { KEY_INPUT } from '../../site/forms/form-inputs.ts';
import { addNonBreakingSpaces } from '../../site/words/non-breaking-spaces.ts';
import { formatPromisedTime } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { formOutcome, forms as text } from '../../text/index.ts';
import { showAnswerDeadline } from './answer-promise.ts';
import { holdNoteOf, setDayLimits } from './day-limits.ts';
import { readServiceHours } from '../subsite/service-hours.ts';
import { saveSentValues, restoreSentValues } from './sent-values.ts';
import { markAsResent } from './saved-values.ts';
import {
  type Fault,
  faultOf,
  setInputValue,
  inputsOf,
  isShown,
  openEnclosingDetails,
  showFieldMessage,
  showSummary,
} from './form-messages.ts';

/** The input for a form's key; empty until the form is sent. */
const findKeyInput = (form: HTMLFormElement) =>
  form.elements.namedItem(KEY_INPUT) as HTMLInputElement;

/**
 * Form keys by form ID, stored in the page’s history entry because a browser restores entered
 * values but not hidden inputs.
 */
const readSentKeys = () => (history.state ?? {}) as Record<string, string | undefined>;

function setKey(form: HTMLFormElement, key: string): void {
  findKeyInput(form).value = key;
  history.replaceState({ ...readSentKeys(), [form.id]: key }, '');
}

/** Time without a response, in ms, after which a form can be sent again under the same key. */
const RESEND_DELAY_MS = 10_000;

/** States how long an item is held if the form is sent now, in the network's time zone. */
function showHoldEnd(form: HTMLFormElement, now: Date): void {
  const note = holdNoteOf(form);
  if (!note) return;
  const { timeZone } = readServiceHours(form);
  const { holdHours, fromField = '', toField = '' } = note.dataset;
  const values = new FormData(form);
  const from = values.get(fromField);
  const to = values.get(toField);
  const hasDays =
    typeof from === 'string' &&
    typeof to === 'string' &&
    from !== '' &&
    from <= to &&
    to >= toDateInTimeZone(timeZone, now);
  const end = findHoldEnd(timeZone, hasDays ? { from, to } : undefined, Number(holdHours), now);
  const until = formatPromisedTime(end.toISOString(), timeZone);
  note.textContent = addNonBreakingSpaces(fill(text.heldUntil, { until }));
}

/**
 * Focuses an input and scrolls its label and message into view, with the summary above the form if
 * the window is tall enough.
 */
function focusOn(field: HTMLElement, input: HTMLElement | undefined): void {
  input?.focus({ preventScroll: true });
  const summary = field.closest('form')?.querySelector('.fault-summary');
  const height = field.getBoundingClientRect().bottom - (summary?.getBoundingClientRect().top ?? 0);
  const summaryFits = summary && height < (visualViewport?.height ?? innerHeight);
  (summaryFits ? summary : field).scrollIntoView({ block: 'start', behavior: 'instant' });
}

function enhanceForm(form: HTMLFormElement): void {
  const fields = [...form.querySelectorAll<HTMLElement>('.field')];
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
  const sendingNotice = form.querySelector<HTMLElement>('.sending');
  let isSent = false;
  let resendTimer: ReturnType<typeof setTimeout> | undefined;
  form.noValidate = true;
  setDayLimits(form, new Date());

  /** The first of a group of inputs that needs at least one value, if all of them are empty. */
  function findContactFaults(): readonly (readonly [HTMLElement, Fault])[] {
    const { reach, reachMessage } = form.dataset;
    const inputs = inputsOf(form).filter(({ name }) => reach?.split(' ').includes(name));
    const [input] = inputs;
    const field = input?.closest<HTMLElement>('.field');
    return field && inputs.every(({ value }) => !value.trim())
      ? [[field, { input: input!, message: reachMessage ?? '' }]]
      : [];
  }

  /**
   * Checks the given fields and whether there is contact information, and shows what is wrong next
   * to the fields and in the summary. The messages and the summary always name the same fields,
   * because a field that is only in the summary would not be checked again.
   */
  function showFaults(
    candidates: readonly HTMLElement[],
  ): readonly (readonly [HTMLElement, Fault])[] {
    const contactFaults = findContactFaults();
    const checkedFields = fields.filter(
      (field) => candidates.includes(field) || contactFaults.some(([other]) => other === field),
    );
    const rejected = checkedFields.flatMap((field) => {
      const fault = faultOf(field) ?? contactFaults.find(([other]) => other === field)?.[1];
      return fault ? [[field, fault] as const] : [];
    });
    for (const field of checkedFields)
      showFieldMessage(field, rejected.find(([other]) => other === field)?.[1]);
    showSummary(form, rejected);
    return rejected;
  }

  function release(words = ''): void {
    clearTimeout(resendTimer);
    isSent = false;
    button?.removeAttribute('aria-disabled');
    if (sendingNotice) sendingNotice.textContent = words;
  }

  function showTimes(): void {
    const now = new Date();
    showHoldEnd(form, now);
    showAnswerDeadline(form, now);
  }

  // The last day of a hold depends on its first day.
  form.addEventListener('input', (event) => {
    if (findClosestElement(event, '[data-current-date]')) setDayLimits(form, new Date());
  });
  form.addEventListener('submit', (event) => {
    if (isSent) {
      event.preventDefault();
      return;
    }
    setDayLimits(form, new Date());
    const [first] = showFaults(fields);
    if (first) {
      event.preventDefault();
      const [field, { input }] = first;
      focusOn(field, isShown(input) ? input : inputsOf(field).find(isShown));
      return;
    }
    isSent = true;
    saveSentValues(form);
    // An unchanged form that was already sent is the same request, even on a page restored from
    // history.
    const sentKey = readSentKeys()[form.id];
    if (sentKey) markAsResent();
    setKey(form, findKeyInput(form).value || sentKey || crypto.randomUUID());
    button?.setAttribute('aria-disabled', 'true');
    if (sendingNotice) sendingNotice.textContent = formOutcome.sending;
    resendTimer = setTimeout(release, RESEND_DELAY_MS, formOutcome.noResponse);
  });
  // Checked as the user types, because a change when the field loses focus would move the button
  // during a click.
  form.addEventListener('input', (event) => {
    const field = findClosestElement(event, '.field');
    if (!field || !form.querySelector('.field .fault')) return;
    showFaults(fields.filter((other) => other === field || other.querySelector('.fault')));
  });
  form.addEventListener('input', () => {
    if (findKeyInput(form).value || readSentKeys()[form.id]) setKey(form, '');
    release();
  });

  // Also runs when the browser restores the page from history, possibly on another day.
  addEventListener('pageshow', () => {
    release();
    setDayLimits(form, new Date());
    showTimes();
  });
  form.addEventListener('input', showTimes);
}

/**
 * Inputs that a link may fill in: the fields of a request, but not contact details, because the
 * answer and the receipt would go to the author of the link.
 */
const isPrefillable = (input: ReturnType<typeof inputsOf>[number]) =>
  /^(?:fields|data)\./.test(input.name) && !input.matches('[type=email], [type=tel]');

/**
 * Fills in a form’s fields from the URL, such as `?fields.zip=33701`, so that a link can open a
 * prefilled form.
 */
function prefill(form: HTMLFormElement): void {
  const prefillableInputs = inputsOf(form).filter(isPrefillable);
  for (const [name, value] of new URLSearchParams(location.search)) {
    const inputs = prefillableInputs.filter((other) => other.name === name && isShown(other));
    const [input] = inputs;
    if (input instanceof HTMLInputElement && input.type === 'radio') {
      const radios = inputs as HTMLInputElement[];
      const checkedRadio = radios.find(({ checked }) => checked);
      const matchingRadio = radios.find((radio) => radio.value === value);
      if (matchingRadio?.checked === false && (!checkedRadio || checkedRadio.defaultChecked)) {
        matchingRadio.checked = true;
        openEnclosingDetails(matchingRadio);
      }
    } else if (input instanceof HTMLSelectElement) {
      const [selectedOption] = input.selectedOptions;
      const exists = [...input.options].some((option) => option.value === value);
      if (
        exists &&
        value !== input.value &&
        (!selectedOption?.value || selectedOption.defaultSelected)
      )
        setInputValue(input, value);
    } else if (input && input.type !== 'checkbox' && !input.value) setInputValue(input, value);
  }
}

/**
 * Shows a note below a ZIP code outside the service area as it is typed; the receipt has the same
 * note.
 */
function watchServiceArea(form: HTMLFormElement): void {
  const check = () => {
    for (const note of form.querySelectorAll<HTMLElement>('.outside')) {
      const zip = note.previousElementSibling!.querySelector('input')!.value.trim();
      const { zips = '', notice = '' } = note.dataset;
      const isOutside =
        /^\d{5}/.test(zip) && !zips.split(' ').some((start) => zip.startsWith(start));
      note.textContent = isOutside ? notice : '';
    }
  };
  form.addEventListener('input', check);
  check();
}

/**
 * Lists only the services under the heading that is chosen in another list, if any: a directory’s
 * form first asks what kind of service is needed.
 */
function watchHeadings(form: HTMLFormElement): void {
  for (const list of form.querySelectorAll('select')) {
    const groups = [...list.querySelectorAll('optgroup')];
    if (!groups.length) continue;
    const check = () => {
      const answers = [...form.querySelectorAll('select')].map(({ value }) => value);
      const chosen = groups.find(({ label }) => answers.includes(label));
      for (const group of groups)
        group.hidden = group.disabled = chosen !== undefined && group !== chosen;
      if (!list.selectedOptions[0]?.closest('optgroup')?.disabled) return;
      const sameService = [...chosen!.querySelectorAll('option')].find(
        ({ value }) => value === list.value,
      );
      (sameService ?? list.options[0]!).selected = true;
    };
    form.addEventListener('change', check);
    check();
  }
}

/** Scrolls to the number to call once the person chooses an emergency or today. */
function scrollToCallNumber(form: HTMLFormElement): void {
  form.addEventListener('change', ({ target }) => {
    if ((target as HTMLElement).closest('.field')?.querySelector('[data-emergency], [data-today]'))
      for (const call of form.querySelectorAll(':is(.emergency-call, .today-call)'))
        // Only the number for the current choice is visible, so only it is scrolled to.
        call.scrollIntoView({ block: 'nearest' });
  });
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-lead-form]')) {
  enhanceForm(form);
  prefill(form);
  restoreSentValues(form);
  watchServiceArea(form);
  watchHeadings(form);
  scrollToCallNumber(form);
}

const focusedElement = document.activeElement;
const rejected = focusedElement?.closest<HTMLElement>('.field');
if (focusedElement instanceof HTMLElement && rejected?.querySelector('.fault'))
  focusOn(rejected, focusedElement);
