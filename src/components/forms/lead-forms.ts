/*
 * What a script adds to the forms, which work without it: a key minted in the page, so that a second click or a retry
 * is the same lead; one submission at a time; and messages before anything is sent.
 */
import { KEY_INPUT } from '../../registry/form-inputs.ts';
import { faultOf, inputsOf, isShown, show, summarize } from './form-messages.ts';

/** The input with the key of a form; empty until the form is sent. */
const keyInput = (form: HTMLFormElement) => form.elements.namedItem(KEY_INPUT) as HTMLInputElement;

/** Keys of forms by their id, kept with the page’s entry in the history: a browser brings back what was typed, and no hidden input. */
const sentKeys = () => (history.state ?? {}) as Record<string, string | undefined>;

function setKey(form: HTMLFormElement, key: string): void {
  keyInput(form).value = key;
  history.replaceState({ ...sentKeys(), [form.id]: key }, '');
}

/** After so long without an answer a form can be sent again, under the same key; in ms. */
const PATIENCE_MS = 10_000;

function improve(form: HTMLFormElement): void {
  const fields = [...form.querySelectorAll<HTMLElement>('.field')];
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
  const sending = form.querySelector<HTMLElement>('.sending');
  let sent = false;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  form.noValidate = true;

  const refusedOf = (some: readonly HTMLElement[]) =>
    some.flatMap((field) => {
      const fault = faultOf(field);
      return fault ? [[field, fault] as const] : [];
    });

  function release(words = ''): void {
    clearTimeout(waiting);
    sent = false;
    button?.removeAttribute('aria-disabled');
    if (sending) sending.textContent = words;
  }

  form.addEventListener('submit', (event) => {
    if (sent) return event.preventDefault();
    const refused = refusedOf(fields);
    for (const field of fields) show(field, refused.find(([other]) => other === field)?.[1]);
    summarize(form, refused);
    const [first] = refused;
    if (first) {
      event.preventDefault();
      const [field, { input }] = first;
      (isShown(input) ? input : inputsOf(field).find(isShown))?.focus();
      return;
    }
    sent = true;
    // What was sent before and is unchanged, from a page of the history too, is the same request.
    setKey(form, keyInput(form).value || sentKeys()[form.id] || crypto.randomUUID());
    button?.setAttribute('aria-disabled', 'true');
    if (sending) sending.textContent = 'Sending…';
    waiting = setTimeout(release, PATIENCE_MS, 'No answer yet. You can send it again; it counts once.');
  });
  form.addEventListener('change', (event) => {
    const field = (event.target as HTMLElement).closest<HTMLElement>('.field');
    if (!field?.querySelector('.fault')) return;
    show(field, faultOf(field));
    summarize(form, refusedOf(fields.filter((other) => other.querySelector('.fault'))));
  });
  form.addEventListener('input', () => {
    if (keyInput(form).value || sentKeys()[form.id]) setKey(form, '');
    release();
  });

  // Also runs when the browser brings the page back from its history.
  addEventListener('pageshow', () => release());
}

/** A form’s fields filled from the address, for example `?fields.zip=33701`, so that a link can lead to a prepared form. */
function prefill(form: HTMLFormElement): void {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const input = inputsOf(form).find((other) => other.name === name && isShown(other) && other.type !== 'radio' && other.type !== 'checkbox');
    if (input && !input.value) input.value = value;
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-lead-form]')) {
  improve(form);
  prefill(form);
}
