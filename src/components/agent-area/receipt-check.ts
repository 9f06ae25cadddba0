import { receiptCheck as texts } from '../../text/index.ts';
import { verifySignedDocument } from './verify-signed.ts';

/* Verifies pasted text with the service's public keys. */
const JWKS_URL = '/.well-known/jwks.json';
const SAMPLE_STATUS_URL = '/api/lead/sandbox';

async function fetchKeys(): Promise<JsonWebKey[]> {
  const { keys } = (await (await fetch(JWKS_URL)).json()) as { keys: JsonWebKey[] };
  return keys;
}

function run(section: HTMLElement): void {
  const input = section.querySelector<HTMLTextAreaElement>('textarea')!;
  const verdict = section.querySelector<HTMLElement>('[data-verdict]')!;
  const showVerdict = (valid: boolean | undefined, text: string) => {
    verdict.textContent = text;
    verdict.dataset['verdict'] = valid === undefined ? '' : valid ? 'valid' : 'invalid';
  };

  async function verify(): Promise<void> {
    try {
      const { valid, text } = await verifySignedDocument(input.value, await fetchKeys());
      showVerdict(valid, text);
    } catch {
      showVerdict(undefined, texts.unsupported);
    }
  }

  async function loadSample(): Promise<void> {
    try {
      const response = await fetch(SAMPLE_STATUS_URL, { headers: { accept: 'application/json' } });
      input.value = JSON.stringify(await response.json(), null, 2);
      showVerdict(undefined, texts.sample);
    } catch {
      showVerdict(undefined, texts.noResponse);
    }
  }

  section.querySelector('form')!.addEventListener('submit', (event) => {
    event.preventDefault();
    void verify();
  });
  section.querySelector('[data-sample]')!.addEventListener('click', () => void loadSample());
  section.hidden = false;
}

for (const section of document.querySelectorAll<HTMLElement>('[data-receipt-check]')) run(section);
