/**
 * Limits text to `max` characters; longer text is cut after a complete word, if there is one, and
 * gets an ellipsis.
 */
export function shortenText(text: string, max: number): string {
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  const start = characters.slice(0, max).join('');
  // The next character shows whether a word ends there.
  const [wholeWords] = /^.*\S(?=\s)/su.exec(`${start}${characters[max]}`) ?? [];
  return `${wholeWords ?? start}…`;
}
