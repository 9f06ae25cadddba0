// @ts-check
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** @param {string} url URL of a bundle file that has its map next to it. */
function readMap(url) {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    return undefined; // There is no map, or the bundle was removed.
  }
}

/**
 * Makes stack traces of a bundle show the files and lines of its sources. Node's own
 * --enable-source-maps reads every map when its module loads, which costs a server 24 MB; this
 * reads a map when a stack trace first needs it.
 */
export function nameSourcesInStacks() {
  /** @type {Map<string, SourceMap | undefined>} */
  const maps = new Map();
  /** @type {(frame: string) => string} */
  const withSourceName = (frame) =>
    frame.replace(/(file:\S+\.js):(\d+):(\d+)/, (place, url, line, column) => {
      if (!maps.has(url)) maps.set(url, readMap(url));
      const origin = maps.get(url)?.findOrigin(Number(line), Number(column));
      return origin && 'fileName' in origin
        ? `${new URL(origin.fileName, url).href}:${origin.lineNumber}:${origin.columnNumber}`
        : place;
    });
  Error.prepareStackTrace = (error, frames) =>
    [String(error), ...frames.map((frame) => `    at ${withSourceName(String(frame))}`)].join('\n');
}
