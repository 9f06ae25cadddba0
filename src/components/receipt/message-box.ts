/*
 * Empties the message box if the browser restores in it what the person already sent, as when they
 * go back.
 */
addEventListener('pageshow', () => {
  for (const box of document.querySelectorAll<HTMLTextAreaElement>('[data-last-sent]'))
    if (box.defaultValue === '' && box.value.trim() === box.dataset['lastSent']!.trim())
      box.value = '';
});
