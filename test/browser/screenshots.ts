/**
 * Takes screenshots of all page templates, prerendered and rendered on request, at four widths in
 * both color schemes.
 * `npm run screenshots -- <output folder> [path…]` uses the build in OUT_DIR (default dist).
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { serveBuild } from '../server/serve-build.ts';
import { launchChromium } from '../setup/chromium.ts';
import { openOnRequestPages, type OnRequestPage } from './on-request-pages.ts';
import { selectTemplatePages } from './template-pages.ts';

const WIDTHS = [320, 390, 820, 1440];
const COLOR_SCHEMES = ['light', 'dark'] as const;

const [folder = '.build/screenshots', ...paths] = process.argv.slice(2);
const outDir = join(process.env.OUT_DIR ?? 'dist', 'current');
process.env['RATE_LIMIT_READS'] = process.env['RATE_LIMIT_WRITES'] = '0';
const running = await serveBuild(outDir);
const browser = await launchChromium();
const createPrerenderedPage = (path: string): OnRequestPage => ({
  name: path === '/' ? 'front' : path.slice(1).replaceAll('/', '-'),
  open: (page) =>
    page.goto(`http://127.0.0.1:${running.port}${path}`, { waitUntil: 'networkidle' }),
});
const selectedPages = paths.length
  ? paths.map(createPrerenderedPage)
  : [
      ...selectTemplatePages(outDir).map(({ path }) => createPrerenderedPage(path)),
      ...(await openOnRequestPages(running)),
    ];
mkdirSync(folder, { recursive: true });
for (const colorScheme of COLOR_SCHEMES)
  for (const width of WIDTHS) {
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    for (const { name, open } of selectedPages) {
      await open(page);
      await page.screenshot({
        path: join(folder, `${name}-${width}-${colorScheme}.png`),
        fullPage: true,
      });
    }
    await page.close();
  }
await browser.close();
await running.stop();
process.stdout.write(`Pictures are in ${folder}.\n`);
