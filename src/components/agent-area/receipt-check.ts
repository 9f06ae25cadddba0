/* Verifies pasted text with the service's public keys. */
import { receiptCheck as texts } from '../../text/index.ts';
import { verifySignedDocument } from './verify-signed.ts';

const JWKS_URL = '/.well-known/jwks.json';
const SAMPLE_STATUS_URL = '/api/lead/sandbox';

const section = document.querySelector<HTMLElement>('[data-receipt-check]')!;
const input = section.querySelector<HTMLTextAreaElement>('textarea')!;
const verdict = section.querySelector<HTMLElement>('[data-verdict]')!;
const showVerdict = (valid: boolean | undefined, text: string) => {
  verdict.textContent = text;
  verdict.dataset['verdict'] = valid === undefined ? '' : valid ? 'valid' : 'invalid';
};

/** The JSON at a URL of the service; undefined if it does not respond, which the page reports. */
async function fetchJson(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    if (response.ok) return await response.json();
  } catch {
    // Treated the same as an error status.
  }
  showVerdict(undefined, texts.noResponse);
  return undefined;
}

async function verify(): Promise<void> {
  const document = (await fetchJson(JWKS_URL)) as { keys: JsonWebKey[] } | undefined;
  if (!document) return;
  try {
    const { valid, text } = await verifySignedDocument(input.value, document.keys);
    showVerdict(valid, text);
  } catch {
    showVerdict(undefined, texts.unsupported);
  }
}

async function showSample(): Promise<void> {
  const status = await fetchJson(SAMPLE_STATUS_URL);
  if (!status) return;
  input.value = JSON.stringify(status, null, 2);
  showVerdict(undefined, texts.sample);
}

section.querySelector('form')!.addEventListener('submit', (event) => {
  event.preventDefault();
  void verify();
});
section.querySelector('[data-sample]')!.addEventListener('click', () => void showSample());
section.hidden = false;
