/**
 * Text of at most `max` characters; longer text is cut after a whole word, if there is one, with an
 * ellipsis.
 */
export function shortenText(text: string, max: number): string {
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  const start = characters.slice(0, max).join('');
  // The character after the start shows whether a word ends there.
  const [wholeWords] = /^.*\S(?=\s)/su.exec(`${start}${characters[max]}`) ?? [];
  return `${wholeWords ?? start}…`;
}
