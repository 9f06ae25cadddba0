import { expression, map } from './nginx-syntax.ts';

type Line = readonly [string, string];

/** Parameters of a range before its weight, RFC 9110 section 12.5.1. */
const PARAMETERS = '\\s*(?:;(?!\\s*q=)[^,;]*)*';

/**
 * Lines of a map that give the weight of a range as four digits or more, 0.5 as 0500, from the first place where the range
 * stands. nginx compares no numbers, so that weights are compared as digits.
 */
function weight(range: string, name: string): Line[] {
  const only = `\\s*${expression(range)}\\s*(?:[;,]|$)`;
  const first = `~*^(?:(?!${only})[^,]*,)*\\s*${expression(range)}${PARAMETERS}`;
  const whole = `frontage_${name}_whole`;
  const part = `frontage_${name}_part`;
  return [
    [`${first};\\s*q=(?<${whole}>0|1(?!\\.0*[1-9]))(?:\\.(?<${part}>\\d{0,3}))?\\s*(?:[;,]|$)`, `\${${whole}}\${${part}}000`],
    [`${first}(?:,|$)`, '1000'],
  ];
}

const PLACES = [1, 2, 3, 4];
const digits = (name: string) => PLACES.map((place) => `(?<frontage_${name}_${place}>\\d)`).join('');
const larger = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `${digit}[0-${digit - 1}]`).join('|');

/**
 * Maps that set `$frontage_twin` to `.md` where Accept names text/markdown and wants it at least as much as HTML, else to
 * `.html`: what src/server/negotiate.ts decides, by the range that fits each type best.
 */
export const acceptMaps: readonly string[] = [
  map('$http_accept', '$frontage_markdown', [['default', ''], ...weight('text/markdown', 'markdown')]),
  map('$http_accept', '$frontage_html', [['default', '0000'], ...weight('text/html', 'html'), ...weight('text/*', 'text'), ...weight('*/*', 'any')]),
  // Digit by digit, one beside the other: 0500 and 1000 are 01500000.
  map('$frontage_markdown $frontage_html', '$frontage_weights', [
    ['default', ''],
    [`~^${digits('markdown')}\\d* ${digits('html')}`, PLACES.map((place) => `\${frontage_markdown_${place}}\${frontage_html_${place}}`).join('')],
  ]),
  map('$frontage_weights', '$frontage_twin', [['default', '.html'], [`~^(?=.)(?!0.0.0.0.)(?:(\\d)\\1)*(?:$|${larger})`, '.md']]),
];
