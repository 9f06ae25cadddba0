/** Characters to escape in a character class under the `v` flag, which HTML uses for `pattern`. */
const CLASS_SYNTAX_CHARACTERS = new Set('(){}/|');

/**
 * Converts an anchored regular expression to the value of an HTML `pattern` attribute: removes the
 * anchors, which HTML adds, and adds the escapes that character classes need under the `v` flag.
 * Without these escapes, browsers ignore the attribute.
 */
export function toHtmlPattern(expression: string): string {
  const pattern = expression.replace(/^\^/, '').replace(/\$$/, '');
  let isInClass = false;
  let htmlPattern = '';
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index]!;
    if (character === '\\') {
      htmlPattern += character + (pattern[++index] ?? '');
      continue;
    }
    if (!isInClass && character === '[') isInClass = true;
    else if (isInClass && character === ']') isInClass = false;
    else if (
      isInClass &&
      (CLASS_SYNTAX_CHARACTERS.has(character) || (character === '-' && pattern[index + 1] === ']'))
    )
      htmlPattern += '\\';
    htmlPattern += character;
  }
  return htmlPattern;
}
