// Error messages that a script shows for a form: next to each input, and in a summary above the
// form.

import { fill } from '../../text/fill.ts';
import { formOutcome } from '../../text/index.ts';
import { describeDigitFault } from '../../fields/phone-digits.ts';
import { countCodePoints, createTooLongMessage } from '../../fields/text-length.ts';
import { labelBeforeValue } from '../../site/words/field-words.ts';
import { addNonBreakingSpaces } from '../../site/words/non-breaking-spaces.ts';
import { formatPlannedDay } from '../../site/words/words.ts';
import { createEndBeforeStartMessage } from '../../site/forms/date-rule.ts';

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The inputs in a form or part of a form. */
export const inputsOf = (root: ParentNode) => [
  ...root.querySelectorAll<Input>('input, textarea, select'),
];

/** True if an input is visible. */
export const isShown = (input: Input) => input.type !== 'hidden' && !input.closest('[aria-hidden]');

/** Opens the closed parts of a form that contain an input. */
export function openEnclosingDetails(input: Element): void {
  const part = input.closest('details');
  if (!part) return;
  part.open = true;
  openEnclosingDetails(part.parentElement!);
}

/** Fills in an input, and opens the collapsed part of the form that may contain it. */
export function setInputValue(input: Input, value: string): void {
  input.value = value;
  if (value) openEnclosingDetails(input);
}

/** An error in a field: the input and how to correct it. */
export interface Fault {
  input: Input;
  message: string;
}

/** The message for a date that is in the past or before the service opens again. */
const formatPastDateMessage = ({ value, min, dataset: { currentDate = '' } }: HTMLInputElement) =>
  fill(value < currentDate ? formOutcome.notPast : formOutcome.closed, {
    day: formatPlannedDay(min),
  });

/** The label text of an input, without the note that marks an optional field. */
const labelTextOf = ({ id }: Input): string | undefined =>
  document.querySelector(`label[for="${CSS.escape(id)}"]`)?.firstChild?.textContent?.trim();

/** The error for an end date that is before its start date, if the start date is valid. */
function findOrderFault(input: Input): Fault | undefined {
  const start = input.dataset['notBefore'];
  if (!start || !input.value) return undefined;
  const from = input.form?.elements.namedItem(input.name.replace(/[^.]+$/, start));
  return from instanceof HTMLInputElement && from.validity.valid && from.value > input.value
    ? { input, message: createEndBeforeStartMessage(labelTextOf(from) ?? start) }
    : undefined;
}

/** The error in the inputs of a field, if any. */
export function faultOf(field: HTMLElement): Fault | undefined {
  const inputs = inputsOf(field);
  const [first] = inputs;
  const rejected = inputs.find((input) => !input.validity.valid);
  const expectation = rejected?.dataset['expects'] ?? field.dataset['expects'];
  const orderFault = first && findOrderFault(first);
  if (orderFault) return orderFault;
  if (
    rejected instanceof HTMLInputElement &&
    rejected.validity.rangeUnderflow &&
    rejected.dataset['currentDate']
  )
    return { input: rejected, message: formatPastDateMessage(rejected) };
  if (rejected?.validity.customError)
    return { input: rejected, message: rejected.validationMessage };
  // The pattern also accepts numbers with too many digits.
  for (const input of inputs) {
    const message = input.type === 'tel' ? describeDigitFault(input.value) : undefined;
    if (message !== undefined) return { input, message };
  }
  const afterMax = rejected?.validity.rangeOverflow ? rejected.dataset['afterMax'] : undefined;
  if (rejected)
    return { input: rejected, message: afterMax ?? expectation ?? rejected.validationMessage };
  if (!first) return undefined;
  const tooLongInput = inputs.find(
    (input) => countCodePoints(input.value) > Number(input.dataset['most']),
  );
  if (tooLongInput) {
    const maxLength = Number(tooLongInput.dataset['most']);
    return {
      input: tooLongInput,
      message: createTooLongMessage(maxLength, countCodePoints(tooLongInput.value)),
    };
  }
  if (first instanceof HTMLTextAreaElement && first.required && !first.value.trim())
    return { input: first, message: expectation ?? '' };
  return undefined;
}

/** The element to mark if a field is invalid: its group for a choice, otherwise its input. */
const describedElementOf = (field: HTMLElement, input: Input): HTMLElement =>
  field.getAttribute('role') === 'radiogroup' ? field : input;

const setDescriptions = (element: HTMLElement, ids: readonly string[]) =>
  ids.length
    ? element.setAttribute('aria-describedby', ids.join(' '))
    : element.removeAttribute('aria-describedby');

/** Shows or removes the message of a field. */
export function showFieldMessage(field: HTMLElement, fault: Fault | undefined): void {
  const id = `${field.id || inputsOf(field)[0]?.id}-fault`;
  const listOtherDescriptions = (element: HTMLElement) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .filter((part) => part && part !== id);
  for (const invalidElement of [field, ...inputsOf(field)].filter(
    (element) => element.ariaInvalid === 'true',
  )) {
    invalidElement.removeAttribute('aria-invalid');
    setDescriptions(invalidElement, listOtherDescriptions(invalidElement));
  }
  let message = document.getElementById(id);
  if (!fault) return message?.remove();
  if (!message) {
    message = document.createElement('p');
    message.className = 'fault';
    message.id = id;
    (field.querySelector('.hint') ?? field.querySelector('label, legend'))?.after(message);
  }
  message.textContent = addNonBreakingSpaces(fault.message);
  const describedElement = describedElementOf(field, fault.input);
  describedElement.setAttribute('aria-invalid', 'true');
  setDescriptions(describedElement, [...listOtherDescriptions(describedElement), id]);
  openEnclosingDetails(fault.input);
}

/** An entry in the summary: a link to the input, and how to correct it. */
function createSummaryEntry(field: HTMLElement, { input, message }: Fault): HTMLLIElement {
  const describedElement = describedElementOf(field, input);
  const label =
    describedElement === field
      ? field.querySelector('legend')?.firstChild?.textContent?.trim()
      : labelTextOf(input);
  const link = document.createElement('a');
  link.href = `#${describedElement.id}`;
  link.textContent = labelBeforeValue(label ?? input.name);
  const entry = document.createElement('li');
  entry.append(link, addNonBreakingSpaces(` ${message}`));
  return entry;
}

/**
 * Shows a summary of invalid inputs above a form, as the server's page does, or removes it if there
 * are none.
 */
export function showSummary(
  form: HTMLFormElement,
  rejected: readonly (readonly [HTMLElement, Fault])[],
): void {
  form.querySelector(':scope > .fault-summary')?.remove();
  if (!rejected.length) return;
  const title = document.createElement('p');
  title.className = 'fault-title';
  title.textContent = formOutcome.notSent;
  const list = document.createElement('ul');
  list.append(...rejected.map(([field, fault]) => createSummaryEntry(field, fault)));
  const summary = document.createElement('div');
  summary.className = 'fault-summary';
  summary.setAttribute('role', 'alert');
  summary.append(title, list);
  form.prepend(summary);
}
