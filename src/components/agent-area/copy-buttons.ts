import { fill } from '../../text/fill.ts';
import { copyButton as texts } from '../../text/index.ts';

/* Adds a copy button to each code sample. */
const COPIED_MESSAGE_MS = 2000;

for (const sample of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  const code = sample.querySelector('code');
  const text = code?.textContent ?? '';
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
  });
  button.textContent = texts.copy;
  const title = sample.querySelector('figcaption')?.textContent.trim();
  const status = document.createElement('span');
  status.className = 'unseen';
  status.setAttribute('role', 'status');
  if (title) button.setAttribute('aria-label', fill(texts.copyOf, { title }));
  // Without HTTPS, `navigator.clipboard` is undefined; the async function turns the error into a
  // rejection.
  const writeToClipboard = async () => navigator.clipboard.writeText(text);
  const copy = async () => {
    const wasCopied = await writeToClipboard().then(
      () => true,
      () => false,
    );
    if (!wasCopied && code) getSelection()?.selectAllChildren(code);
    button.textContent = wasCopied ? texts.copied : texts.failed;
    status.textContent = wasCopied ? texts.copied : texts.failedStatus;
    setTimeout(() => {
      button.textContent = texts.copy;
      status.textContent = '';
    }, COPIED_MESSAGE_MS);
  };
  button.addEventListener('click', () => void copy());
  (sample.querySelector('figcaption') ?? sample).append(button, status);
}
