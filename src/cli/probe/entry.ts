import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { contentHash } from '../../build/arena.ts';
import type { Entry } from '../../server/arena.ts';
import { type Answer, ask } from './ask.ts';

function decoded({ headers, body }: Answer): Buffer | undefined {
  try {
    if (headers['content-encoding'] === 'br') return brotliDecompressSync(body);
    if (headers['content-encoding'] === 'gzip') return gunzipSync(body);
    return body;
  } catch {
    return undefined;
  }
}

const sameType = (one: string | undefined, other: string): boolean =>
  one?.toLowerCase().replaceAll(/[\s"]/g, '') === other.toLowerCase().replaceAll(/[\s"]/g, '');

/** Generation time in a JSON document. */
function generatedAt(body: Buffer): string | undefined {
  const found = /"generatedAt":\s*"([^"]+)"/.exec(body.subarray(0, 4000).toString());
  return found?.[1];
}

/** The errors at one path of the build; `built` is the time of the build. */
export async function probeEntry(entry: Entry, base: string, built: string): Promise<string[]> {
  const { path, policy, hash } = entry;
  const problems: string[] = [];
  const answer = await ask(base, path, 'GET', { 'accept-encoding': 'br, gzip' });
  if (answer.status !== 200) {
    const stripped =
      answer.status === 404 && path.startsWith('/.well-known/')
        ? ' The deployment leaves out .well-known; many upload steps pass over folders that begin with a dot.'
        : '';
    return [`is answered with ${answer.status}. Expected 200.${stripped}`];
  }
  if (!sameType(answer.headers['content-type'], policy.mediaType))
    problems.push(`has another media type than the build. Expected ${policy.mediaType}.`);
  const coded = entry.length('br') !== undefined || entry.length('gzip') !== undefined;
  if (coded && !answer.headers['content-encoding'])
    problems.push(
      'is sent uncompressed to a client that takes br and gzip. Compress it, or serve the .gz beside it.',
    );
  if (coded && policy.kind !== 'asset' && !/accept-encoding|\*/i.test(answer.headers.vary ?? ''))
    problems.push(
      'has no Vary: Accept-Encoding. A cache may give a compressed body to a client that cannot read it.',
    );
  if (policy.kind === 'document' && answer.headers['access-control-allow-origin'] !== '*')
    problems.push('has no Access-Control-Allow-Origin: *. Agents in browsers cannot read it.');
  const { etag } = answer.headers;
  if (!etag) problems.push('has no ETag.');
  else if (
    (await ask(base, path, 'GET', { 'accept-encoding': 'br, gzip', 'if-none-match': etag }))
      .status !== 304
  )
    problems.push('is sent again for its own ETag. Expected 304.');
  const body = decoded(answer);
  if (!body) problems.push('cannot be decoded by its Content-Encoding.');
  else if (contentHash(body) !== hash) {
    const made = generatedAt(body);
    problems.push(
      made && made < built
        ? `is older than the build: made ${made}, the build ${built}. Deploy again or empty the cache.`
        : 'is not what was built. Deploy this build, or build what is deployed.',
    );
  }
  return problems;
}
