import { receiptCheck as texts } from '../../text/index.ts';
import { verifySignedDocument } from './verify-signed.ts';

/* Verifies pasted text with the service's public keys. */
const JWKS_URL = '/.well-known/jwks.json';
const SAMPLE_STATUS_URL = '/api/lead/sandbox';

/** The JSON of a response. @throws unless the service responds with a success and JSON */
async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}

function run(section: HTMLElement): void {
  const input = section.querySelector<HTMLTextAreaElement>('textarea')!;
  const verdict = section.querySelector<HTMLElement>('[data-verdict]')!;
  const showVerdict = (valid: boolean | undefined, text: string) => {
    verdict.textContent = text;
    verdict.dataset['verdict'] = valid === undefined ? '' : valid ? 'valid' : 'invalid';
  };

  /** Passes the JSON at a URL of the service to `use`, or says that the service did not respond. */
  async function withJson(url: string, use: (json: unknown) => void | Promise<void>) {
    let json: unknown;
    try {
      json = await fetchJson(url);
    } catch {
      showVerdict(undefined, texts.noResponse);
      return;
    }
    await use(json);
  }

  async function verify(json: unknown): Promise<void> {
    const { keys } = json as { keys: JsonWebKey[] };
    try {
      const { valid, text } = await verifySignedDocument(input.value, keys);
      showVerdict(valid, text);
    } catch {
      showVerdict(undefined, texts.unsupported);
    }
  }

  function showSample(json: unknown): void {
    input.value = JSON.stringify(json, null, 2);
    showVerdict(undefined, texts.sample);
  }

  section.querySelector('form')!.addEventListener('submit', (event) => {
    event.preventDefault();
    void withJson(JWKS_URL, verify);
  });
  section
    .querySelector('[data-sample]')!
    .addEventListener('click', () => void withJson(SAMPLE_STATUS_URL, showSample));
  section.hidden = false;
}

for (const section of document.querySelectorAll<HTMLElement>('[data-receipt-check]')) run(section);
