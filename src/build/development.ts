import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { AstroIntegration, HookParameters } from 'astro';
import type { RenderView, View } from '../http/views.ts';
import type * as Fault from '../registry/fault.ts';
import type * as Development from '../server/development.ts';
import { readBuildSettings } from '../settings.ts';
import type * as Settings from '../settings.ts';
import type { Site } from '../site/site.ts';
import { discardSite } from '../build-site.ts';
import type * as BuildSite from '../build-site.ts';

/** Header that names the view that an internal request asks Astro for. */
const VIEW_HEADER = 'x-view';

/** Request property from which Astro's development server reads a page's locals. */
const LOCALS_KEY = Symbol.for('astro.locals');

type DevelopmentServer = HookParameters<'astro:server:setup'>['server'];

type ModuleGraph = DevelopmentServer['environments']['ssr']['moduleGraph'];

/** Requests the pages of views from Astro over the server's own port. */
function createViewRenderer(server: DevelopmentServer) {
  const views = new Map<string, { view: View; site: Site }>();
  return {
    renderWith:
      (site: Site): RenderView =>
      async (view) => {
        const id = randomUUID();
        views.set(id, { view, site });
        try {
          const { port } = server.httpServer?.address() as AddressInfo;
          const page = await fetch(`http://localhost:${port}/view/${view.kind}`, {
            headers: { [VIEW_HEADER]: id },
          });
          if (!page.ok) throw new Error(`The page for ${view.kind} could not be rendered.`);
          return await page.text();
        } finally {
          views.delete(id);
        }
      },
    /** The view that an internal request asks for. */
    viewOf: ({ headers }: IncomingMessage) => views.get(String(headers[VIEW_HEADER])),
  };
}

/**
 * Makes Vite evaluate all modules again. It keeps their transformed code, which does not depend on
 * the registry: transforming all of them takes five times as long as evaluating them.
 */
function reevaluateAll(graph: ModuleGraph): void {
  const invalidated: Parameters<ModuleGraph['invalidateModule']>[1] = new Set();
  for (const module of graph.idToModuleMap.values())
    graph.invalidateModule(module, invalidated, undefined, false, true);
}

/** Errors in the registry, the settings or the database, which need no stack trace. */
type OperatorErrors = readonly (new (...args: never[]) => Error)[];

/** Vite loads its own copy of each class, and another one after each edit. */
async function loadOperatorErrors(server: DevelopmentServer): Promise<OperatorErrors> {
  const [registry, settings, database] = await Promise.all([
    server.ssrLoadModule('/src/registry/fault.ts') as Promise<typeof Fault>,
    server.ssrLoadModule('/src/settings.ts') as Promise<typeof Settings>,
    server.ssrLoadModule('/db/index.ts') as Promise<
      Record<'DatabaseUnavailableError', OperatorErrors[number]>
    >,
  ]);
  return [registry.RegistryError, settings.SettingsError, database.DatabaseUnavailableError];
}

/** The program built from the current files. */
function createProgramLoader(server: DevelopmentServer, createRender: (site: Site) => RenderView) {
  let runningInstance:
    { program: Development.DevelopmentProgram; site: Site; code: unknown } | undefined;

  let operatorErrors: OperatorErrors | undefined;

  async function loadCurrentProgram(): Promise<Development.DevelopmentProgram> {
    const { buildSite } = (await server.ssrLoadModule('/src/build-site.ts')) as typeof BuildSite;
    const code = (await server.ssrLoadModule('/src/server/development.ts')) as typeof Development;
    operatorErrors = await loadOperatorErrors(server);
    const site = buildSite();
    if (runningInstance?.site !== site || runningInstance.code !== code) {
      await runningInstance?.program.stop();
      runningInstance = undefined;
      runningInstance = {
        program: await code.startDevelopmentProgram(site, createRender(site)),
        site,
        code,
      };
    }
    return runningInstance.program;
  }

  let pendingLoad: Promise<unknown> = Promise.resolve();
  return {
    /** Starts the program, or restarts it if the files have changed. */
    async loadProgram(): Promise<Development.DevelopmentProgram> {
      const programPromise = pendingLoad.then(loadCurrentProgram);
      pendingLoad = programPromise.catch(() => undefined);
      return programPromise;
    },
    describeError: (thrown: unknown): string =>
      operatorErrors?.some((type) => thrown instanceof type)
        ? (thrown as Error).message
        : String((thrown as Error).stack),
    stop: async () => runningInstance?.program.stop(),
  };
}

/**
 * Runs the program inside Astro's development server. Vite loads the program, so edits to its code
 * take effect at the next request, as do edits to the registry.
 */
export function createDevelopmentIntegration(): AstroIntegration {
  return {
    name: 'development',
    hooks: {
      'astro:server:setup': ({ server, logger }) => {
        const registryDir = resolve(readBuildSettings().registryDir);
        const { renderWith, viewOf } = createViewRenderer(server);
        const loader = createProgramLoader(server, renderWith);

        server.watcher.add(registryDir);
        server.watcher.on('all', (_, file) => {
          if (!file.startsWith(registryDir)) return;
          // All copies of the module share the site.
          discardSite();
          for (const { moduleGraph } of Object.values(server.environments))
            reevaluateAll(moduleGraph);
        });
        // Reports faults at once instead of at the first request.
        server.httpServer?.once('listening', () => {
          loader
            .loadProgram()
            .catch((thrown: unknown) => logger.error(loader.describeError(thrown)));
        });
        server.httpServer?.once('close', () => void loader.stop());

        server.middlewares.use((request, response, next) => {
          const requestedView = viewOf(request);
          if (requestedView) {
            Reflect.set(request, LOCALS_KEY, requestedView);
            next();
            return;
          }
          loader.loadProgram().then(
            (program) => program.answer(request, response, next),
            (thrown: unknown) => {
              const message = loader.describeError(thrown);
              logger.error(message);
              response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(message);
            },
          );
        });
      },
    },
  };
}
