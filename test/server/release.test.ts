import { expect, inject, it } from 'vitest';
import { openRelease } from '../../src/server/release.ts';

it('a release leaves it to the server to log rejections that nothing handles', async () => {
  const before = process.listeners('unhandledRejection');
  const { arena } = await openRelease(inject('fourBuild'));
  expect(process.listeners('unhandledRejection')).toEqual(before);
  arena.close();
});
