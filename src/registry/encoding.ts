import { isUtf8 } from 'node:buffer';

const NEWLINE = 10;

/** Line and column, from 1, of the first byte that is not UTF-8. */
function locateInvalidByte(bytes: Buffer): { line: number; column: number } {
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

/** The text of a file, or an encoding error with its location; lines and columns count from 1. */
export function decodeText(
  bytes: Buffer,
): { text: string } | { problem: string; line: number; column: number } {
  const byteOrderMark = bytes.subarray(0, 2).toString('hex');
  if (byteOrderMark === 'fffe' || byteOrderMark === 'feff')
    return { problem: 'is UTF-16. Save the file as UTF-8.', line: 1, column: 1 };
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') };
  return {
    problem: 'is not UTF-8; it may be saved as Latin-1. Save the file as UTF-8.',
    ...locateInvalidByte(bytes),
  };
}
