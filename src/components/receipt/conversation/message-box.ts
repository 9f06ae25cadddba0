/*
 * Clears the message box if the browser restores a message that was already sent, for example after
 * the Back button.
 */
addEventListener('pageshow', () => {
  for (const box of document.querySelectorAll<HTMLTextAreaElement>('[data-last-sent]'))
    if (box.defaultValue === '' && box.value.trim() === box.dataset['lastSent']!.trim())
      box.value = '';
});
