/*
 * Keeps what a person entered in a form for as long as the tab is open, so that the form to send a
 * request again is filled in. The address of that form contains no personal values.
 */
import { RESUBMIT_PARAMETER } from '../../site/forms/form-inputs.ts';
import { inputsOf, isShown } from './form-messages.ts';

const keyOf = (form: HTMLFormElement): string => `sent ${form.id}`;

/**
 * Inputs with text that a person enters, except a ZIP code that is checked for the service area.
 */
const textInputsOf = (form: HTMLFormElement) =>
  inputsOf(form).filter(
    (input) =>
      !['radio', 'checkbox'].includes(input.type) &&
      isShown(input) &&
      !input.closest('.field')?.nextElementSibling?.matches('.outside'),
  );

/** Keeps the text in a form that is sent. */
export function keepSentValues(form: HTMLFormElement): void {
  const values = Object.fromEntries(textInputsOf(form).map(({ name, value }) => [name, value]));
  try {
    sessionStorage.setItem(keyOf(form), JSON.stringify(values));
  } catch {
    // Storage is full or turned off; the person enters the texts again.
  }
}

/** Fills in the text that the person sent, on a page opened to send a request again. */
export function restoreSentValues(form: HTMLFormElement): void {
  if (!new URLSearchParams(location.search).has(RESUBMIT_PARAMETER)) return;
  let kept: string | null = null;
  try {
    kept = sessionStorage.getItem(keyOf(form));
  } catch {
    // Storage is turned off.
  }
  const values = JSON.parse(kept ?? '{}') as Record<string, string | undefined>;
  for (const input of textInputsOf(form)) input.value ||= values[input.name] ?? '';
}
