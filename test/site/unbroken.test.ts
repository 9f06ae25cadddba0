import { expect, it } from 'vitest';
import {
  addNonBreakingSpaces,
  preventLineBreaksInHtml,
  splitAtPhones,
} from '../../src/site/words/non-breaking-spaces.ts';

it.each([
  ['Open every day, 7 am to 7:30 pm', 'Open every day, 7~am to 7:30~pm'],
  ['by Tuesday, November 24 at 9 am EST', 'by Tuesday, November~24 at 9~am~EST'],
  ['since November 3, 2026, for 2026 people', 'since November~3, 2026, for 2026~people'],
  ['within 24 hours, at most 30 days', 'within 24~hours, at most 30~days'],
  ['5 × 8 ft, 1,900 lb', '5~×~8~ft, 1,900~lb'],
  ['1.44 × $250 ÷ 12', '1.44~×~$250 ÷~12'],
  ['The person is 5 ft 8 in tall', 'The person is 5~ft~8~in tall'],
  ['St. Petersburg, ZIP 33713', 'St. Petersburg, ZIP~33713'],
  ['Call (727) 555-0111', 'Call (727)~555-0111'],
  ['(•••) •••-0142', '(•••)~•••-0142'],
  ['3 items from Maya, 2 daytime visits', '3 items from Maya, 2 daytime visits'],
])('prevents line breaks between a number and its unit: %s', (text, written) =>
  expect(addNonBreakingSpaces(text)).toBe(written.replaceAll('~', '\u00a0')),
);

it('prevents line breaks within a hyphenated word of a heading, but not elsewhere', () => {
  expect(
    preventLineBreaksInHtml(
      '<header><h1>Clean-out - <a href="/clean-out">follow-up</a></h1></header><p>clean-out</p>',
    ),
  ).toBe(
    '<header><h1>Clean-\u2060out - <a href="/clean-out">follow-\u2060up</a></h1></header><p>clean-out</p>',
  );
});

it('prevents line breaks within a code such as R-22', () => {
  expect(preventLineBreaksInHtml('<p title="R-22">R-22 of a follow-up</p>')).toBe(
    '<p title="R-22">R-\u206022 of a follow-up</p>',
  );
});

it.each([
  ['a 7-pin plug or a 2.5-gallon jug', 'a [7-pin] plug or a [2.5-gallon] jug'],
  ['a 15-by-30-foot tent, 5-by-8', 'a [15-by-30-foot] tent, [5-by-8]'],
  ['Version 2026-07-28.', 'Version [2026-07-28.]'],
  ['a 50-foot, flat plug (4-flat), “7-way”', 'a [50-foot,] flat plug [(4-flat),] [“7-way”]'],
  ['/fit/30-day, 1234567-abc, 3f-7-pin, 29QX-7-R', '/fit/30-day, 1234567-abc, 3f-7-pin, 29QX-7-R'],
])('prevents line breaks within hyphenated numbers, but not within an ID: %s', (text, marked) =>
  expect(preventLineBreaksInHtml(text)).toBe(
    marked.replaceAll('[', '<span class="unbroken">').replaceAll(']', '</span>'),
  ),
);

it('adds no elements to a title or an image, which cannot contain any', () => {
  const html =
    '<title>7-pin plug</title><svg><title>7-pin</title><text>2026-07-28</text></svg><svg/>';
  expect(preventLineBreaksInHtml(`${html}7-pin`)).toBe(
    `${html}<span class="unbroken">7-pin</span>`,
  );
});

it('prevents line breaks within a phone number, which is copied unchanged', () => {
  expect(
    preventLineBreaksInHtml('<p title="(727) 555-0111">(727) 555-0111 or (•••) •••-0142'),
  ).toBe(
    '<p title="(727) 555-0111"><span class="phone">(727)\u00a0555-0111</span> or <span class="phone">(•••)\u00a0•••-0142</span>',
  );
});

it.each([
  ['Call 727-555-0142, or 727.555.0142.', 'Call [727-555-0142,] or [727.555.0142.]'],
  ['727 555 0142 or 1-727-555-0142', '[727 555 0142] or [1-727-555-0142]'],
  ['(727)555-0142, +1 727 555 0142', '[(727)555-0142,] [+1 727 555 0142]'],
  ['“+44 20 7946 0958”', '“+44 20 7946 0958”'],
  ['Orders 727-555-01 and 4-727-555-0142-9', 'Orders 727-555-01 and 4-727-555-0142-9'],
  ['/t/727-555-0142, 2026-11-28', '/t/727-555-0142, 2026-11-28'],
])('prevents line breaks within a phone number as people type it: %s', (text, marked) => {
  const parts = splitAtPhones(text);
  expect(parts.map((part) => (part.isPhone ? `[${part.text}]` : part.text)).join('')).toBe(marked);
  expect(
    preventLineBreaksInHtml(`<p>${text}`).replaceAll(/<span class="unbroken">(.*?)<\/span>/g, '$1'),
  ).toBe(`<p>${marked.replaceAll('[', '<span class="phone">').replaceAll(']', '</span>')}`);
});

it('code, inputs and attributes in HTML stay unchanged', () => {
  const html =
    '<input value="7 pm" placeholder=\'by > 9 am\'><pre>7 pm</pre><textarea>2 hours</textarea><script>f("3 days")</script><select><option>7 pm</option></select><!-- 7 pm -->';
  expect(preventLineBreaksInHtml(`<p>7 pm</p>${html}<b>9 am</b>`)).toBe(
    `<p>7\u00a0pm</p>${html}<b>9\u00a0am</b>`,
  );
});
