import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { loadOnce } from '../http/load-once.ts';
import type { RenderView } from '../http/views.ts';
import type { Site } from '../site/site.ts';

/** The handler that Astro's build exports for `mode: 'middleware'`. */
type AstroHandler = (
  request: IncomingMessage,
  response: RenderedPage,
  next: (error?: unknown) => void,
  locals: App.Locals,
) => Promise<void>;

/** A response for Astro to write a page to, without a connection. */
class RenderedPage extends Writable {
  readonly #chunks: Buffer[] = [];
  statusMessage = '';
  status = 0;

  writeHead(status: number): this {
    this.status = status;
    return this;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get html(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

/**
 * Imports the handler and removes the listener that Astro's adapter adds to the process with each
 * build: it hides unhandled rejections from other listeners and bypasses the log.
 */
async function importHandler(entry: string): Promise<AstroHandler> {
  const listenersBefore = new Set(process.listeners('unhandledRejection'));
  const { handler } = (await import(entry)) as { handler: AstroHandler };
  for (const listener of process.listeners('unhandledRejection'))
    if (!listenersBefore.has(listener)) process.removeListener('unhandledRejection', listener);
  return handler;
}

/**
 * Renders views with the handler from Astro's build. Its 200 modules are loaded for the first view,
 * not at startup. Astro gets an internal request with the service's own origin and the path of the
 * view's page, and nothing from the client. @throws any rendering error
 */
export function createAstroRenderer(entry: string, site: Site): RenderView {
  const { host } = new URL(site.base);
  const loadHandler = loadOnce(() => importHandler(entry));
  return async (view) => {
    const handler = await loadHandler();
    const request = new IncomingMessage(new Socket());
    request.method = 'GET';
    request.url = `/view/${view.kind}`;
    request.headers = { host };
    const page = new RenderedPage();
    const written = new Promise<void>((resolve, reject) => {
      page.once('finish', resolve);
      page.once('error', reject);
    });
    const missing = () => page.destroy(new Error(`The build has no page for ${view.kind}.`));
    try {
      await Promise.all([handler(request, page, missing, { site, view }), written]);
    } finally {
      // Astro's adapter keeps the request, its view and the page until the connection closes.
      request.socket.destroy();
    }
    if (page.status !== 200) throw new Error(`The page for ${view.kind} could not be rendered.`);
    return page.html;
  };
}
