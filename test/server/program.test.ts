import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makePackagesResolvable } from '../../src/build/build-root.ts';
import { COMMAND_NAMES, bundle } from '../../src/build/program.ts';
import { makeCheckout } from '../setup/checkout.ts';
import { startServer } from '../setup/started-server.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'frontage-program-')));
afterAll(() => rmSync(folder, { recursive: true }));

/** Imports between modules, from esbuild’s metafile. */
type Modules = Awaited<ReturnType<typeof bundle>>['inputs'];

/** A module and its static imports, recursively. */
function collectStaticImports(entry: string, modules: Modules): Set<string> {
  const loaded = new Set([entry]);
  for (const path of loaded)
    for (const { path: next, kind, external } of modules[path]!.imports)
      if (!external && kind !== 'dynamic-import') loaded.add(next);
  return loaded;
}

describe('the bundle of the program', () => {
  let inputs: Modules;
  beforeAll(async () => {
    ({ inputs } = await bundle(join(folder, 'bundle')));
  });

  it('includes every thread under its own name', () => {
    const threadNames = globSync('{db,src}/**/*-thread.ts').map((file) => basename(file, '.ts'));
    expect(threadNames.length).toBeGreaterThan(0);
    expect(readdirSync(join(folder, 'bundle'))).toEqual(
      expect.arrayContaining(threadNames.map((name) => `${name}.js`)),
    );
  });

  it('has no character outside Latin-1, with which V8 keeps a module in two bytes per character', () => {
    // Keep such a character out of regular expressions and String.raw: write \uXXXX.
    const files = globSync(join(folder, 'bundle/*.js'));
    expect(files.length).toBeGreaterThan(0);
    const found = files.flatMap((file) =>
      (readFileSync(file, 'utf8').match(/.{0,40}[^\0-\xff].{0,40}/g) ?? []).slice(0, 1),
    );
    expect(found).toEqual([]);
  });

  it('loads no record schemas and no YAML in the server, except in the MCP SDK', () => {
    const loaded = [...collectStaticImports('src/cli/start.ts', inputs)];
    expect(loaded).toContain('src/http/app.ts');
    const ownModules = loaded.filter((path) => !path.startsWith('node_modules/'));
    const findModulesImporting = (packages: RegExp) =>
      ownModules.filter((path) =>
        inputs[path]!.imports.some((imported) => packages.test(imported.path)),
      );
    expect(findModulesImporting(/^node_modules\/(?:zod|yaml)\//)).toEqual([]);
    expect(loaded.filter((path) => path.startsWith('node_modules/yaml/'))).toEqual([]);
  });

  it('loads record schemas and YAML for lead and key commands only to read the registry', () => {
    for (const command of ['leads', 'keys']) {
      const loaded = [...collectStaticImports(`src/cli/${command}.ts`, inputs)];
      expect(loaded).toContain('src/cli/with-context.ts');
      expect(loaded.filter((path) => /^node_modules\/(?:zod|yaml)\//.test(path))).toEqual([]);
    }
  });

  it('loads the libsql-server client only when it is used', () => {
    for (const entry of ['src/cli/start.ts', 'src/cli/leads.ts']) {
      const loaded = [...collectStaticImports(entry, inputs)];
      expect(loaded).toContain('db/index.ts');
      expect(loaded.filter((path) => /^node_modules\/(?:ws|@libsql\/hrana)/.test(path))).toEqual(
        [],
      );
    }
  });
});

describe('a checkout with a built network', () => {
  const checkout = join(folder, 'checkout');
  const loadedModulesFile = join(folder, 'loaded.txt');
  const { OUT_DIR: _, REGISTRY_DIR: __, ...inheritedEnvironment } = process.env;
  const environment = {
    ...inheritedEnvironment,
    DATABASE_URL: `file:${folder}/network.db`,
    // Without a registry, the server uses the existing build.
    REGISTRY_DIR: 'none',
    PORT: '0',
    NODE_OPTIONS: `--import=${pathToFileURL(resolve('test/setup/loaded-modules.ts')).href}`,
    LOADED_MODULES: loadedModulesFile,
  };

  beforeAll(() => {
    makeCheckout(checkout);
    const built = realpathSync(inject('fourBuild'));
    cpSync(built, join(checkout, 'dist/releases/one'), { recursive: true });
    symlinkSync('releases/one', join(checkout, 'dist/current'));
  });

  /**
   * Modules that a program loaded in addition to the launcher: paths in the checkout and package
   * names.
   */
  function readLoadedModules(): string[] {
    const paths = readFileSync(loadedModulesFile, 'utf8').trim().split('\n');
    rmSync(loadedModulesFile);
    const launcherPattern =
      /\/src\/(?:cli\/(?:run|source-stacks)|environment|text-encoding|build\/current-program)\.js$/;
    return paths
      .filter((url) => url.startsWith('file:') && !launcherPattern.test(url))
      .map((url) => url.replace(pathToFileURL(checkout).href, ''))
      .map((url) => url.replace(/^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/.*$/, '$1'));
  }

  /** Runs a command. Returns its output and the loaded modules. */
  function run(...command: string[]): { output: string; modules: string[] } {
    const { stdout, stderr } = spawnSync(process.execPath, ['src/cli/run.js', ...command], {
      cwd: checkout,
      encoding: 'utf8',
      env: environment,
    });
    return { output: stdout + stderr, modules: readLoadedModules() };
  }

  /** Starts the server, stops it when it responds, and returns its output. */
  async function serve(): Promise<string> {
    const service = startServer({}, { cwd: checkout, environment });
    await service.origin();
    expect(await service.end('SIGTERM')).toBe(0);
    return service.output();
  }

  const isSource = (path: string) => /^\/(?:src|db)\//.test(path);
  const isBundle = (path: string) => /^\/dist\/programs\/.*\.js$/.test(path);
  const NATIVE_PACKAGES = ['libsql', '@libsql/linux-x64-gnu', '@neon-rs/load', 'detect-libc'];
  const isUnexpectedModule = (path: string) => !isBundle(path) && !NATIVE_PACKAGES.includes(path);
  const edit = (path: string, code: string) => appendFileSync(join(checkout, path), `${code}\n`);

  it('runs commands from their sources until there is a bundle', () => {
    const { modules, output } = run('keys', '--help');
    expect(output).toContain('Usage: npm run keys');
    expect(modules).toContain('/src/cli/keys.ts');
  });

  it('writes nothing if a settings file has an error', () => {
    writeFileSync(join(checkout, '.env'), 'PORT 1\n');
    expect(run('start').output).toContain('.env:1: this is not a setting.');
    expect(existsSync(join(checkout, 'dist/programs'))).toBe(false);
    writeFileSync(join(checkout, '.env'), 'OUT_DIR=$HOME/build\n');
    expect(run('start').output).toContain(
      'OUT_DIR: expected the path of the build folder; write the whole path',
    );
    expect(existsSync(join(checkout, '$HOME'))).toBe(false);
    rmSync(join(checkout, '.env'));
  });

  it('bundles at startup, and runs the server and commands from the bundle alone', async () => {
    await serve();
    readLoadedModules();
    await serve();
    const serverModules = readLoadedModules();
    expect(serverModules.filter(isSource)).toEqual([]);
    expect(serverModules.filter(isUnexpectedModule)).toEqual([]);
    for (const command of COMMAND_NAMES.filter((name) => name !== 'start')) {
      const { modules, output } = run(command, '--help');
      expect(output).toContain(`Usage: npm run ${command}`);
      expect(modules.filter(isUnexpectedModule)).toEqual([]);
      expect(modules.length).toBeGreaterThan(0);
    }
    expect(run('keys', 'list')).toMatchObject({
      output: expect.stringContaining('There are no keys yet.'),
      modules: expect.not.arrayContaining([expect.stringMatching(/^\/(?:src|db)\//)]),
    });
  });

  it.each(['a folder elsewhere', 'a link to a folder elsewhere'])(
    'starts in a new checkout after the checkout that built into %s was deleted',
    async (kind) => {
      const outDir = join(folder, kind);
      cpSync(join(checkout, 'dist'), outDir, { recursive: true, verbatimSymlinks: true });
      makePackagesResolvable(join(folder, 'deleted checkout'), outDir);
      const cwd = makeCheckout(join(folder, `new checkout with ${kind}`));
      if (kind.startsWith('a link')) symlinkSync(outDir, join(cwd, 'dist'));
      const startEnvironment = kind.startsWith('a link')
        ? environment
        : { ...environment, OUT_DIR: outDir };
      const service = startServer({}, { cwd, environment: startEnvironment });
      await service.origin();
      expect(await service.end('SIGTERM')).toBe(0);
      const modules = readFileSync(loadedModulesFile, 'utf8');
      expect(modules).toContain(`${pathToFileURL(outDir).href}/programs/`);
      expect(modules).not.toContain('/src/cli/start.ts');
      rmSync(loadedModulesFile);
    },
  );

  it('considers sources unchanged if only their modification times differ', () => {
    utimesSync(join(checkout, 'src/cli/keys.ts'), new Date(), new Date());
    expect(run('keys', '--help').modules.filter(isSource)).toEqual([]);
  });

  it('never ignores an edited source or database schema', async () => {
    edit('src/cli/output.ts', `process.stderr.write(new Error('The command was edited.').stack!);`);
    const { output, modules } = run('keys', '--help');
    expect(output).toContain('The command was edited.');
    expect(modules).toContain('/src/cli/keys.ts');
    edit('db/identity.ts', `process.stderr.write('The database was edited.\\n');`);
    expect(await serve()).toContain('The database was edited.');
    readLoadedModules();
    const listResult = run('keys', 'list');
    expect(listResult.output).toContain('The database was edited.');
    expect(listResult.output).toMatch(
      /The command was edited\.\n +at file:\S*\/src\/cli\/output\.ts:\d+:/,
    );
    expect(listResult.modules.filter((path) => /^\/(?:src|db)\//.test(path))).toEqual([]);
  });

  it('runs from the sources and logs a warning if it can no longer bundle them', async () => {
    rmSync(join(checkout, 'dist/programs'), { recursive: true });
    rmSync(join(checkout, 'dist/program.json'));
    symlinkSync('/dev/null', join(checkout, 'dist/programs'));
    expect(await serve()).toContain(
      'Running from the sources, because the program cannot be bundled',
    );
    expect(readLoadedModules()).toContain('/src/cli/start.ts');
  });
});
