import type { BrowserContext, Frame, Page, ViewportSize } from 'playwright-core';

/** What a browser complained of while a page was open. */
export interface Watched {
  page: Page;
  /** Errors of the console, of scripts and of the content security policy since the last call. */
  complaints(): string[];
}

/** A page that remembers every complaint of the browser. */
export async function watchedPage(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage();
  const found: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  return { page, complaints: () => found.splice(0) };
}

/**
 * Where the focus is after a form was refused: id of the field, and which of its parts a person
 * sees without scrolling.
 */
export const focusInSight = (page: Page) =>
  page.evaluate(() => {
    const input = document.activeElement;
    const field = input?.closest('.field');
    const isSeen = (element: Element | null | undefined) => {
      const box = element?.getBoundingClientRect();
      return (
        box !== undefined && box.height > 0 && box.top >= 0 && box.bottom <= visualViewport!.height
      );
    };
    return {
      at: field?.id || input?.id,
      label: isSeen(field?.querySelector('label, legend')),
      fault: isSeen(field?.querySelector('.fault')),
      input: isSeen(input),
    };
  });

/**
 * Shows another page’s styles and body in the open page; runs in the page. Loading a page anew for
 * its layout alone takes ten times as long.
 */
export async function showInPlace(path: string): Promise<void> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const sheets = (of: Document) => [
    ...of.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'),
  ];
  const wanted = sheets(next).map((link) => link.getAttribute('href')!);
  const present = sheets(document).map((link) => link.getAttribute('href')!);
  await Promise.all(
    wanted
      .filter((href) => !present.includes(href))
      .map((href) => {
        const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
        const loaded = new Promise((resolve, reject) => {
          link.onload = resolve;
          link.onerror = () => reject(new Error(`${href} does not load`));
        });
        document.head.append(link);
        return loaded;
      }),
  );
  for (const link of sheets(document))
    if (!wanted.includes(link.getAttribute('href')!)) link.remove();
  for (const { name, value } of next.documentElement.attributes)
    document.documentElement.setAttribute(name, value);
  document.body.replaceWith(document.adoptNode(next.body));
}

/**
 * Empties the open page, for a frame of a size of its own that lays pages out and draws none of them:
 * drawing takes most of the time in which a window of another width is shown.
 */
export async function openFrame(page: Page, { width, height }: ViewportSize): Promise<Frame> {
  const size = { width: String(width), height: String(height) };
  const element = await page.evaluateHandle(async (size) => {
    const frame = Object.assign(document.createElement('iframe'), size);
    frame.srcdoc = '<!doctype html>';
    // What is out of the window is not drawn. Text of a hidden frame would count as hidden.
    frame.style.cssText = 'border: 0; position: fixed; top: 0; left: 100vw';
    document.head.replaceChildren();
    await new Promise((resolve) => {
      frame.onload = resolve;
      document.body.replaceChildren(frame);
    });
    return frame;
  }, size);
  return (await element.contentFrame())!;
}
