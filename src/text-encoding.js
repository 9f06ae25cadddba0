// @ts-check
import { isUtf8 } from 'node:buffer';

// Plain JavaScript, like src/environment.js, which imports it.

const NEWLINE = 10;

/** @typedef {{ problem: string, line: number, column: number }} EncodingFault */

/**
 * Line and column, from 1, of the first byte that is not UTF-8.
 * @param {Buffer} bytes
 * @returns {{ line: number, column: number }}
 */
function locateInvalidByte(bytes) {
  for (let line = 1, from = 0; ; line++) {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline < 0 ? bytes.length : newline;
    const lineBytes = bytes.subarray(from, end);
    if (!isUtf8(lineBytes)) {
      const decodedLine = new TextDecoder().decode(lineBytes);
      return { line, column: decodedLine.indexOf('\uFFFD') + 1 };
    }
    from = end + 1;
  }
}

/**
 * The text of a file without a byte order mark, or an encoding error with its location; lines and
 * columns count from 1.
 * @param {Buffer} bytes
 * @returns {{ text: string } | EncodingFault}
 */
export function decodeText(bytes) {
  const firstBytes = bytes.subarray(0, 2).toString('hex');
  if (firstBytes === 'fffe' || firstBytes === 'feff')
    return { problem: 'is UTF-16. Save the file as UTF-8.', line: 1, column: 1 };
  if (!isUtf8(bytes))
    return {
      problem: 'is not UTF-8; it may have been saved as Latin-1. Save the file as UTF-8.',
      ...locateInvalidByte(bytes),
    };
  return { text: bytes.toString('utf8').replace(/^\uFEFF/, '') };
}
