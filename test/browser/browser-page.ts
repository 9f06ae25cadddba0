import type { BrowserContext, Frame, Page, ViewportSize } from 'playwright-core';

/** A page and the errors that the browser reported for it. */
export interface WatchedPage {
  page: Page;
  /**
   * Console errors and warnings, uncaught exceptions and content security policy violations since
   * the last call.
   */
  takeErrors(): string[];
}

/**
 * Opens a page that records everything the browser reports, by default also that the page itself has
 * an error status.
 */
export async function openWatchedPage(
  context: BrowserContext,
  { recordsStatus = true } = {},
): Promise<WatchedPage> {
  const page = await context.newPage();
  const reportedErrors: string[] = [];
  page.on('console', (message) => {
    const isStatusOfPage =
      message.text().startsWith('Failed to load resource:') &&
      message.location().url === page.url();
    if (['error', 'warning'].includes(message.type()) && (recordsStatus || !isStatusOfPage))
      reportedErrors.push(message.text());
  });
  page.on('pageerror', (error) => reportedErrors.push(error.message));
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  return { page, takeErrors: () => reportedErrors.splice(0) };
}

/** Focused field after a form is rejected, and which of its parts are visible without scrolling. */
export const readFocusedFieldVisibility = (page: Page) =>
  page.evaluate(() => {
    const input = document.activeElement;
    const field = input?.closest('.field');
    const isInView = (element: Element | null | undefined) => {
      const box = element?.getBoundingClientRect();
      return (
        box !== undefined && box.height > 0 && box.top >= 0 && box.bottom <= visualViewport!.height
      );
    };
    return {
      at: field?.id || input?.id,
      label: isInView(field?.querySelector('label, legend')),
      fault: isInView(field?.querySelector('.fault')),
      input: isInView(input),
    };
  });

/**
 * Shows a page, given as a path or as HTML, in the open document without its scripts; runs in the
 * page. For a layout check, this takes a tenth of the time that a navigation takes.
 */
export async function showInPlace(pathOrHtml: string): Promise<void> {
  const readPage = async () => {
    const response = await fetch(pathOrHtml);
    if (!response.ok) throw new Error(`${pathOrHtml}: ${response.status}`);
    return response.text();
  };
  const html = pathOrHtml.startsWith('/') ? await readPage() : pathOrHtml;
  const next = new DOMParser().parseFromString(html, 'text/html');
  const findStylesheets = (page: Document) => [
    ...page.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'),
  ];
  const expectedHrefs = findStylesheets(next).map((link) => link.getAttribute('href')!);
  const loadedHrefs = findStylesheets(document).map((link) => link.getAttribute('href')!);
  await Promise.all(
    expectedHrefs
      .filter((href) => !loadedHrefs.includes(href))
      .map((href) => {
        const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
        const loaded = new Promise((resolve, reject) => {
          link.onload = resolve;
          link.onerror = () => reject(new Error(`${href} did not load`));
        });
        document.head.append(link);
        return loaded;
      }),
  );
  for (const link of findStylesheets(document))
    if (!expectedHrefs.includes(link.getAttribute('href')!)) link.remove();
  const findMetadata = (page: Document) => page.head.querySelectorAll('title, meta, style');
  for (const element of findMetadata(document)) element.remove();
  document.head.append(...findMetadata(next));
  for (const name of document.documentElement.getAttributeNames())
    document.documentElement.removeAttribute(name);
  for (const { name, value } of next.documentElement.attributes)
    document.documentElement.setAttribute(name, value);
  document.body.replaceWith(document.adoptNode(next.body));
  // The layout uses a font from the moment it has loaded.
  document.body.getBoundingClientRect();
  await document.fonts.ready;
}

/**
 * Replaces the content of the open page with an iframe that is laid out at the given size but not
 * painted, because resizing a window spends most of its time on painting.
 */
export async function openFrame(page: Page, { width, height }: ViewportSize): Promise<Frame> {
  const size = { width: String(width), height: String(height) };
  const element = await page.evaluateHandle(async (size) => {
    const frame = Object.assign(document.createElement('iframe'), size);
    frame.srcdoc = '<!doctype html>';
    // A frame outside the viewport is not painted. A hidden frame would report its text as hidden.
    // Its color scheme is that of the frame element.
    frame.style.cssText =
      'border: 0; position: fixed; top: 0; left: 100vw; color-scheme: light dark';
    document.head.replaceChildren();
    await new Promise((resolve) => {
      frame.onload = resolve;
      document.body.replaceChildren(frame);
    });
    return frame;
  }, size);
  return (await element.contentFrame())!;
}

/** A check that runs in a frame of some size, with text of some size. */
interface FrameCheck {
  viewport: ViewportSize;
  textSize?: string;
  find: () => string[];
}

/** Runs checks in one call, because a call and a frame drawn after it cost more than a check. */
export function runChecks(frame: Frame, checks: readonly FrameCheck[]): Promise<string[][]> {
  const steps = checks.map(({ viewport: { width, height }, textSize = '', find }) => {
    const size = { width: String(width), height: String(height) };
    return `Object.assign(frameElement, ${JSON.stringify(size)});
      document.documentElement.style.fontSize = '${textSize}';
      found.push((${find.toString()})());`;
  });
  return frame.evaluate(`(() => { const found = []; ${steps.join('\n')}; return found; })()`);
}
