/*
 * Keeps what a person entered in a form, so that the form to send the request again is prefilled.
 * The URL of that form contains no personal values.
 */
import { RESUBMIT_PARAMETER } from '../../site/forms/form-inputs.ts';
import { setInputValue, inputsOf, isShown } from './form-messages.ts';
import { saveValues, readSavedValues } from './saved-values.ts';

/** Inputs with text that a person enters. */
const textInputsOf = (form: HTMLFormElement) =>
  inputsOf(form).filter((input) => !['radio', 'checkbox'].includes(input.type) && isShown(input));

/**
 * True for a ZIP code that is checked against the service area, and that the person may correct.
 */
const isServiceAreaInput = (input: Element): boolean =>
  input.closest('.field')?.nextElementSibling?.matches('.outside') ?? false;

/**
 * The endpoint as the form contains it, because verbs are unique only within a subsite. Leaves out
 * the item of the form’s page, because the form to send a request again is on the subsite’s page.
 */
const endpointOf = (form: HTMLFormElement): string =>
  (form.getAttribute('action') ?? '').split('&')[0]!;

/** Keeps the text in a form that is sent. */
export const saveSentValues = (form: HTMLFormElement): void =>
  saveValues(
    endpointOf(form),
    Object.fromEntries(textInputsOf(form).map(({ name, value }) => [name, value])),
  );

/** Fills in the text that the person sent, on a page opened to send a request again. */
export function restoreSentValues(form: HTMLFormElement): void {
  if (!new URLSearchParams(location.search).has(RESUBMIT_PARAMETER)) return;
  const values = readSavedValues(endpointOf(form));
  for (const input of textInputsOf(form).filter((one) => !isServiceAreaInput(one)))
    if (!input.value) setInputValue(input, values[input.name] ?? '');
}
