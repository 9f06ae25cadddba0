/* Writes times in the reader’s own time zone. */
const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' });

for (const time of document.querySelectorAll<HTMLTimeElement>('[data-local-time]')) {
  time.title = time.textContent.trim();
  time.textContent = format.format(new Date(time.dateTime));
}
