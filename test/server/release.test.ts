import { expect, inject, it } from 'vitest';
import { openRelease } from '../../src/server/release.ts';

it('a release lets the server log unhandled rejections', async () => {
  const before = process.listeners('unhandledRejection');
  const { arena, render } = openRelease(inject('fourBuild'));
  expect(await render({ kind: 'sign-in' })).toContain('</html>');
  expect(process.listeners('unhandledRejection')).toEqual(before);
  arena.close();
});
