import { methodNotAllowed, unknownAddress, unknownPageMarkdown } from '../../server/problem-answer.ts';
import { CAPABILITY_BODY_BYTES } from '../../operations/body-limits.ts';
import { Problem } from '../../operations/problem.ts';
import type { ArenaIndex, Policy } from '../arena.ts';
import type { ServedFile } from '../policies.ts';
import { acceptMaps } from './accept.ts';
import { expression, indent, location, map, quoted } from './nginx-syntax.ts';
import { otherFormMap } from './other-forms.ts';
import { folderOf, type Pattern, type Rule, typeIsPlain } from './rules.ts';

export interface NginxInput {
  base: string;
  /** Absolute path of the folder that is served. */
  clientDir: string;
  files: readonly ServedFile[];
  rules: readonly Rule[];
  redirects: ArenaIndex['redirects'];
  /** Folders whose documents take `?include=`, and the value. */
  includes: readonly { folder: string; value: string }[];
  /** Address of the server that answers what is not prerendered, or undefined for documents alone. */
  server: string | undefined;
  listen: string;
}

const matcher = (pattern: Pattern): string =>
  'exact' in pattern ? `~^${expression(pattern.exact)}(?:\\?|$)` : 'prefix' in pattern ? `~^${expression(pattern.prefix)}` : `~^[^?]*${expression(pattern.suffix)}(?:\\?|$)`;

/**
 * The headers of every answer from disk: which policy a path has, and for each header its values by policy.
 * They stand at the server, because an add_header in a location would replace all of them.
 */
function headerMaps(page: Policy['headers'], rules: readonly Rule[]): { maps: string[]; lines: string[] } {
  const policies = [...new Set(rules.map(({ policy }) => policy))];
  const all = [{ vary: 'Accept', ...page }, ...policies.map(({ headers }) => headers)];
  const names = [...new Set(all.flatMap((headers) => Object.keys(headers)))].sort();
  const maps = [map('$request_uri', '$frontage_policy', [['default', '0'], ...rules.map(({ pattern, policy }) => [matcher(pattern), String(policies.indexOf(policy) + 1)] as const)])];
  const lines = names.map((name) => {
    const values = all.map((headers) => headers[name] ?? '');
    // A lifetime belongs to what was found; the others to every answer.
    const always = name === 'cache-control' ? '' : ' always';
    if (new Set(values).size === 1) return `add_header ${name} ${quoted(values[0]!)}${always};`;
    const variable = `$frontage_${name.replaceAll('-', '_')}`;
    maps.push(map('$frontage_policy', variable, [['default', values[0]!], ...values.flatMap((value, number) => (value === values[0] ? [] : [[String(number), value] as const]))]));
    return `add_header ${name} ${variable}${always};`;
  });
  return { maps, lines };
}

const problemBody = (problem: Problem, base: string): string => `'${JSON.stringify(problem.details(base)).replaceAll("'", '\\u0027')}'`;

/** An answer that is a problem, as the body of a location. */
const answer = (problem: Problem, base: string): string => `types { }\ndefault_type application/problem+json;\nadd_header Cache-Control no-store always;\nadd_header Access-Control-Allow-Origin * always;\nreturn ${problem.status} ${problemBody(problem, base)};`;

/** `types` for files that are known by their extension. */
function types(files: readonly ServedFile[]): string {
  const byExtension = new Map(files.filter((file) => file.policy.kind === 'page' || typeIsPlain(file)).map(({ file, policy }) => [/[^.]+$/.exec(file)![0], policy.mediaType]));
  return `types {\n${[...byExtension].sort().map(([extension, type]) => `  ${quoted(type)} ${extension};\n`).join('')}}`;
}

const refuseInclude = 'if ($frontage_include = "!") { rewrite ^ /.include last; }\n';

/** Locations of documents whose type does not follow from their name. */
function typedLocations({ rules, files, includes, server, base }: NginxInput): string[] {
  const plain = new Set(files.filter(typeIsPlain).map(({ path }) => path));
  return rules.flatMap(({ pattern, policy }) => {
    if ('suffix' in pattern || policy.kind === 'asset' || ('exact' in pattern && plain.has(pattern.exact))) return [];
    const typed = `types { }\ndefault_type ${quoted(policy.mediaType)};\n`;
    const takes = includes.some(({ folder }) => folder === ('exact' in pattern ? folderOf(pattern.exact) : pattern.prefix));
    if ('exact' in pattern) return [location(`= ${pattern.exact}`, `${typed}${takes ? refuseInclude : ''}try_files ${takes ? '$uri$frontage_include ' : ''}$uri =404;`)];
    const missing = server ? '@server' : `@unknown${pattern.prefix.replaceAll(/[^a-z0-9]/gi, '_')}`;
    return [
      location(pattern.prefix, `${typed}${takes ? refuseInclude : ''}try_files $uri${takes ? '$frontage_include' : ''} ${missing};`),
      ...(server ? [] : [location(missing, answer(unknownAddress(`${pattern.prefix}x`), base))]),
    ];
  });
}

function proxy(base: string): string {
  const away = new Problem('unavailable', 'The service cannot answer for the moment. Try again shortly.', { headers: { 'retry-after': '5' } });
  return [
    location('@server', [
      'proxy_pass http://frontage_server;',
      'proxy_http_version 1.1;',
      'proxy_set_header Connection "";',
      'proxy_set_header Host $host;',
      'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
      'proxy_set_header X-Forwarded-Proto $scheme;',
      '# The server brings every header itself; an add_header here keeps those above from being added again.',
      'add_header Frontage "";',
      'error_page 502 504 = @away;',
    ].join('\n')),
    location('@away', `add_header Retry-After 5 always;\n${answer(away, base)}`),
  ].join('\n');
}

function withoutServer(base: string): string {
  return [
    location('@missing', 'error_page 404 /404$frontage_twin;\nreturn 404;'),
    location('= /404.html', 'internal;'),
    location('= /404.md', `internal;\ntypes { }\ndefault_type "text/markdown; charset=utf-8";\nreturn 404 ${quoted(unknownPageMarkdown(base))};`),
    location('@missing_api', answer(unknownAddress('/api/x'), base)),
  ].join('\n');
}

/** An nginx configuration for `http { }`: documents and pages from disk, precompressed, everything else from the server. */
export function nginxConfig(input: NginxInput): string {
  const { base, clientDir, files, rules, redirects, includes, server, listen } = input;
  const page = files.find(({ policy }) => policy.kind === 'page')?.policy.headers ?? {};
  const headers = headerMaps(page, rules);
  const values = [...new Set(includes.map(({ value }) => value))];
  const missing = server ? '@server' : '@missing';
  const include = new Problem('invalid_input', 'The query parameter include has another value than those allowed.', { errors: [{ pointer: '/include', message: `Send one of: ${values.join(', ')}; or leave include out.`, allowed: values }] });
  const large = new Problem('too_large', `The body is larger than ${CAPABILITY_BODY_BYTES.toLocaleString('en-US')} bytes. Send less.`);
  const allow = 'GET, HEAD, OPTIONS';
  const parts = [
    `# Written by the build for ${base}. Include it inside http { }.\n# Set listen, server_name and root as they are on the machine, and TRUST_PROXY=1 for the server.\n# \`npm run precompress\` writes the .gz and .br files that gzip_static and brotli_static look for.`,
    map('$args', '$frontage_include', [['default', ''], ...(values.length ? [[`~(?:^|&)include=(?!(?:${values.join('|')})(?:&|$))`, '!'] as const] : []), ...values.map((value) => [`~(?:^|&)include=${value}(?:&|$)`, `.${value}`] as const)]),
    ...acceptMaps,
    otherFormMap(files, base),
    ...headers.maps,
    ...(server ? [`upstream frontage_server {\n  server ${server};\n  keepalive 32;\n}`] : []),
  ];
  const inside = [
    `listen ${listen};\nserver_name ${new URL(base).hostname};\nroot ${quoted(clientDir.replace(/\/$/, ''))};`,
    `client_max_body_size ${CAPABILITY_BODY_BYTES};\nserver_tokens off;\nabsolute_redirect off;\nmerge_slashes off;`,
    'gzip_static on;\ngzip_vary on;\n# brotli_static on;  # with libnginx-mod-http-brotli-static',
    types(files),
    [...headers.lines, 'add_header link $frontage_other_form;'].join('\n'),
    'error_page 405 = @method;\nerror_page 413 = @large;',
    location('= /', `try_files /index$frontage_twin /index.html ${missing};`),
    location('/', `try_files $uri$frontage_twin $uri.html $uri ${missing};`),
    location('/api/', `try_files $uri ${server ? '@server' : '@missing_api'};`),
    location(`~ "\\.(?:html|gz|br)$|^/_(?:headers|redirects)$|^/404(?:\\.md)?$|^/index$|//"`, `try_files /.none ${missing};`),
    location('~ "^(?<frontage_bare>/.*[^/])/$"', 'return 308 $frontage_bare$is_args$args;'),
    ...redirects.filter(([, target]) => !target.includes('$')).map(([path, target]) => location(`= ${path}`, `return 302 ${quoted(new URL(target, base).href)};`)),
    ...typedLocations(input),
    location('= /.include', `internal;\n${answer(include, base)}`),
    location('@method', [
      `add_header Allow ${quoted(allow)} always;`,
      'add_header Access-Control-Allow-Methods "GET, HEAD, OPTIONS" always;',
      'add_header Access-Control-Allow-Headers * always;',
      'if ($request_method = OPTIONS) { return 204; }',
      answer(methodNotAllowed(allow), base),
    ].join('\n')),
    location('@large', answer(large, base)),
    server ? proxy(base) : withoutServer(base),
  ];
  return `${[...parts, `server {\n${indent(inside.join('\n\n'), '  ')}\n}`].join('\n\n')}\n`;
}
