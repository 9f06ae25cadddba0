import { expect, it } from 'vitest';
import { parseJson } from '../../src/http/body.ts';

it('an empty body is called empty', () => {
  expect(() => parseJson(new Uint8Array())).toThrow('The body is empty. Send one JSON value.');
  expect(() => parseJson(new TextEncoder().encode('{'))).toThrow('not valid JSON');
});
