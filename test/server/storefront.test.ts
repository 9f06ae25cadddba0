import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { changeLead } from '../../src/leads/change-lead.ts';
import { nameStorefront } from '../../src/leads/storefronts/manage-storefront.ts';
import { recordWords } from '../../src/text/index.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { listActions } from '../operations/setup/actions.ts';
import { type RunningService, serveBuild } from './serve-build.ts';
import { submitExample } from './submit-example.ts';

describe('a preview page', () => {
  const outDir = inject('mainBuild');
  const storefrontAction = listActions(readBuiltSite(outDir)).find(
    ({ action }) => action.effect?.kind === 'storefront',
  )!;
  let running: RunningService;
  beforeAll(async () => {
    running = await serveBuild(outDir);
  });
  afterAll(() => running.stop());

  async function fetchPreview(fields: Record<string, unknown>): Promise<string> {
    const { previewUrl } = await submitExample(running, storefrontAction, { fields });
    const { body } = await running.ask(new URL(previewUrl!).pathname);
    return String(body).split('<main')[1]!.split('</main>')[0]!;
  }

  it('repeats neither the idea nor the name in its example, and does not contradict its price', async () => {
    const idea = 'Lawn mowing and edging, from $35 a cut.';
    const main = await fetchPreview({ idea, business_name: 'Dana Mows', offerings: undefined });
    expect(main).toContain('Example');
    expect(main.split(idea)).toHaveLength(2);
    expect(main.split('>Dana Mows<')).toHaveLength(2);
    expect(main).not.toContain(recordWords.onRequest);
  });

  it('is not for search engines until it is published', async () => {
    const { previewUrl, receiptToken } = await submitExample(running, storefrontAction, {
      fields: { business_name: 'Dana Mows Lawns' },
    });
    const { pathname } = new URL(previewUrl!);
    const hidesFromSearchEngines = async (path: string) => {
      const { headers, body } = await running.ask(path);
      return [headers['x-robots-tag'] === 'noindex', String(body).includes('content="noindex"')];
    };
    expect(await hidesFromSearchEngines(pathname)).toEqual([true, true]);
    await changeLead({ receiptToken, to: 'acknowledged', actor: 'provider' }, running.context);
    const bareSlug = await nameStorefront(pathname.split('/').at(-1)!, running.context);
    expect(await hidesFromSearchEngines(`/biz/${bareSlug}`)).toEqual([false, false]);
    expect(await hidesFromSearchEngines(pathname)).toEqual([false, false]);
  });

  it('shows what the owner offers, with its price', async () => {
    const offerings = [
      { name: 'Weekly mowing', desc: 'Front and back', priceCents: 14_000, kind: 'monthly' },
    ];
    const main = await fetchPreview({ idea: 'Mowing', business_name: 'Dana Mows', offerings });
    expect(main).toMatch(/Weekly mowing.*Front and back.*\$140/s);
  });
});
