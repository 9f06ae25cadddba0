import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, inject, it } from 'vitest';
import type { View } from '../../src/http/views.ts';
import { openRelease } from '../../src/server/release.ts';

it('a release lets the server log unhandled rejections', async () => {
  const listenersBefore = process.listeners('unhandledRejection');
  const { arena, render } = openRelease(inject('fourBuild'));
  expect(await render({ kind: 'sign-in', isSignedOut: false })).toContain('</html>');
  expect(process.listeners('unhandledRejection')).toEqual(listenersBefore);
  arena.close();
});

it('a release keeps no view after its page is rendered', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { arena, render } = openRelease(inject('fourBuild'));
  const views: WeakRef<View>[] = [];
  const renderOnce = async (): Promise<void> => {
    const view: View = { kind: 'sign-in', isSignedOut: false };
    views.push(new WeakRef(view));
    await render(view);
  };
  for (let count = 0; count < 20; count++) await renderOnce();
  await expect
    .poll(async () => {
      await wait(1);
      collectGarbage();
      return views.filter((view) => view.deref()).length;
    })
    .toBe(0);
  arena.close();
});
