/* Sends the entered sandbox request and shows the response. */

import { isObject } from '../../site/json-object.ts';
import { fill } from '../../text/fill.ts';
import { sandboxConsole as texts } from '../../text/index.ts';

/**
 * The entered body with the sandbox flag set: this page sends only sandbox requests. @throws
 * SyntaxError if the body is not JSON
 */
function parseExampleRequest(text: string): Record<string, unknown> {
  const body: unknown = JSON.parse(text);
  if (!isObject(body)) throw new SyntaxError(texts.notObject);
  return { ...body, sandbox: true };
}

const formatJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const section = document.querySelector<HTMLElement>('[data-sandbox-console]')!;
const find = (selector: string) => section.querySelector<HTMLElement>(selector)!;
const select = section.querySelector('select')!;
const input = section.querySelector('textarea')!;
const button = section.querySelector('button')!;
const fault = find('[data-fault]');
const readEndpoint = () => select.selectedOptions[0]!.dataset['endpoint']!;

function choose(): void {
  input.value = select.value;
  find('[data-endpoint-shown]').textContent = `POST ${readEndpoint()}`;
  fault.textContent = '';
}

async function send(): Promise<void> {
  let exampleRequest: Record<string, unknown>;
  try {
    exampleRequest = parseExampleRequest(input.value);
  } catch (error) {
    fault.textContent = fill(texts.enterObject, { reason: (error as Error).message });
    input.focus();
    return;
  }
  fault.textContent = '';
  input.value = JSON.stringify(exampleRequest, null, 2);
  button.disabled = true;
  const startedAt = performance.now();
  try {
    const response = await fetch(readEndpoint(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(exampleRequest),
    });
    const text = await response.text();
    const elapsedMs = Math.round(performance.now() - startedAt);
    find('[data-status]').textContent = fill(texts.timing, {
      status: response.status,
      ms: elapsedMs,
    });
    find('[data-answer-text]').textContent = formatJson(text);
    find('[data-answer]').hidden = false;
  } catch {
    fault.textContent = texts.noResponse;
  } finally {
    button.disabled = false;
  }
}

select.addEventListener('change', choose);
find('form').addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});
choose();
section.hidden = false;
