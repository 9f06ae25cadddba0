/** A string of nginx’s configuration. A dollar sign would begin a variable and cannot be escaped, so it must not occur. */
export const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

/** Text as a part of a regular expression. */
export const expression = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Lines further in. */
export const indent = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);

/** A `map` block; keys that begin with a tilde are regular expressions, the first that matches counts. */
export const map = (from: string, to: string, lines: readonly (readonly [string, string])[]): string =>
  `map ${from.includes(' ') ? quoted(from) : from} ${to} {\n${lines.map(([key, value]) => `  ${key === 'default' ? key : quoted(key)} ${quoted(value)};\n`).join('')}}`;

/** A `location` block. */
export const location = (at: string, body: string): string => `location ${at} {\n${indent(body, '  ')}\n}`;
