/* Adds a button to each sample that copies its text. */
const SHOWN_MS = 2000;

for (const sample of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  const text = sample.querySelector('code')?.textContent ?? '';
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
    textContent: 'Copy',
  });
  const title = sample.querySelector('figcaption')?.textContent.trim();
  const status = document.createElement('span');
  status.className = 'unseen';
  status.setAttribute('role', 'status');
  if (title) button.setAttribute('aria-label', `Copy ${title}`);
  const copy = async () => {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    status.textContent = button.textContent = copied ? 'Copied' : 'Select it to copy';
    setTimeout(() => {
      button.textContent = 'Copy';
      status.textContent = '';
    }, SHOWN_MS);
  };
  button.addEventListener('click', () => void copy());
  (sample.querySelector('figcaption') ?? sample).append(button, status);
}
