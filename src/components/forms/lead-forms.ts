/*
 * What a script adds to the forms, which work without it: a key minted in the page, so that a second click or a retry
 * is the same lead; one submission at a time; and messages beside the inputs before anything is sent.
 */
import { KEY_INPUT } from '../../registry/form-inputs.ts';

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const inputsOf = (root: ParentNode) => [...root.querySelectorAll<Input>('input, textarea, select')];

const shown = (input: Input) => input.type !== 'hidden' && !input.closest('[aria-hidden]');

/** The input with the key of a form; empty until the form is sent. */
const keyInput = (form: HTMLFormElement) => form.elements.namedItem(KEY_INPUT) as HTMLInputElement;

/** Keys of forms by their id, kept with the page’s entry in the history: a browser brings back what was typed, and no hidden input. */
const sentKeys = () => (history.state ?? {}) as Record<string, string | undefined>;

function setKey(form: HTMLFormElement, key: string): void {
  keyInput(form).value = key;
  history.replaceState({ ...sentKeys(), [form.id]: key }, '');
}

/** What is wrong with the inputs of a field, or nothing. */
function faultOf(field: HTMLElement): string {
  const inputs = inputsOf(field);
  const refused = inputs.find((input) => !input.validity.valid);
  if (refused?.validity.valueMissing) return `It is needed. ${field.dataset['expects']}`;
  if (refused) return field.dataset['expects'] ?? refused.validationMessage;
  const [input] = inputs;
  if (input instanceof HTMLTextAreaElement && input.required && !input.value.trim()) return `It is needed. ${field.dataset['expects']}`;
  const start = input?.dataset['notBefore'];
  if (!start || !input.value) return '';
  const from = input.form?.elements.namedItem(input.name.replace(/[^.]+$/, start));
  return from instanceof HTMLInputElement && from.value > input.value ? 'Choose the same day as the start, or a later one.' : '';
}

/** Shows or takes away the message of a field. Returns whether the field is sound. */
function show(field: HTMLElement, fault: string): boolean {
  const carrier = field.getAttribute('role') === 'radiogroup' ? field : (inputsOf(field)[0] ?? field);
  const id = `${field.id || inputsOf(field)[0]?.id}-fault`;
  let message = document.getElementById(id);
  const others = (carrier.getAttribute('aria-describedby') ?? '').split(' ').filter((part) => part && part !== id);
  if (!fault) {
    message?.remove();
    carrier.removeAttribute('aria-invalid');
  } else {
    if (!message) {
      message = document.createElement('p');
      message.className = 'fault';
      message.id = id;
      (field.querySelector('.hint') ?? field.querySelector('label, legend'))?.after(message);
    }
    message.textContent = fault;
    carrier.setAttribute('aria-invalid', 'true');
    others.push(id);
  }
  if (others.length) carrier.setAttribute('aria-describedby', others.join(' '));
  else carrier.removeAttribute('aria-describedby');
  return !fault;
}

function improve(form: HTMLFormElement): void {
  const fields = [...form.querySelectorAll<HTMLElement>('.field')];
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]');
  const sending = form.querySelector<HTMLElement>('.sending');
  let sent = false;
  form.noValidate = true;

  form.addEventListener('submit', (event) => {
    if (sent) return event.preventDefault();
    const unsound = fields.filter((field) => !show(field, faultOf(field)));
    if (unsound.length) {
      event.preventDefault();
      inputsOf(unsound[0]!).find(shown)?.focus();
      return;
    }
    sent = true;
    // What was sent before and is unchanged, from a page of the history too, is the same request.
    setKey(form, keyInput(form).value || sentKeys()[form.id] || crypto.randomUUID());
    button?.setAttribute('aria-disabled', 'true');
    if (sending) sending.textContent = 'Sending…';
  });
  form.addEventListener('change', (event) => {
    const field = (event.target as HTMLElement).closest<HTMLElement>('.field');
    if (field?.querySelector('.fault')) show(field, faultOf(field));
  });
  form.addEventListener('input', () => {
    if (keyInput(form).value || sentKeys()[form.id]) setKey(form, '');
    release();
  });

  function release(): void {
    sent = false;
    button?.removeAttribute('aria-disabled');
    if (sending) sending.textContent = '';
  }

  // Also runs when the browser brings the page back from its history.
  addEventListener('pageshow', release);
}

/** A form’s fields filled from the address, for example `?fields.zip=33701`, so that a link can lead to a prepared form. */
function prefill(form: HTMLFormElement): void {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const input = inputsOf(form).find((other) => other.name === name && shown(other) && other.type !== 'radio' && other.type !== 'checkbox');
    if (input && !input.value) input.value = value;
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-lead-form]')) {
  improve(form);
  prefill(form);
}
