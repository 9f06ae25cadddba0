import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { hashContent } from '../../build/arena.ts';
import type { Entry } from '../../server/arena.ts';
import { type ProbeResponse, sendRequest } from './send-request.ts';

function decodeBody({ headers, body }: ProbeResponse): Buffer | undefined {
  try {
    if (headers['content-encoding'] === 'br') return brotliDecompressSync(body);
    if (headers['content-encoding'] === 'gzip') return gunzipSync(body);
    return body;
  } catch {
    return undefined;
  }
}

const isSameType = (one: string | undefined, other: string): boolean =>
  one?.toLowerCase().replaceAll(/[\s"]/g, '') === other.toLowerCase().replaceAll(/[\s"]/g, '');

/** Build time in a JSON document. */
function generatedAt(body: Buffer): string | undefined {
  const found = /"generatedAt":\s*"([^"]+)"/.exec(body.subarray(0, 4000).toString());
  return found?.[1];
}

/** Finds the faults at a path of the build. */
export async function probeEntry(entry: Entry, base: string, buildTime: string): Promise<string[]> {
  const { path, policy, hash } = entry;
  const problems: string[] = [];
  const headers = { 'accept-encoding': 'br, gzip' };
  const answer = await sendRequest(base, path, { headers });
  if (answer.status !== 200) {
    const wellKnownHint =
      answer.status === 404 && path.startsWith('/.well-known/')
        ? ' The deployment lacks .well-known; many upload tools skip folders that begin with a dot.'
        : '';
    return [`responds with ${answer.status}. Expected 200.${wellKnownHint}`];
  }
  if (!isSameType(answer.headers['content-type'], policy.mediaType))
    problems.push(`has the wrong media type. Expected ${policy.mediaType}.`);
  const isCompressible = entry.length('br') !== undefined || entry.length('gzip') !== undefined;
  if (isCompressible && !answer.headers['content-encoding'])
    problems.push(
      'is sent uncompressed to a client that accepts br and gzip. Configure the web server to compress it.',
    );
  if (
    isCompressible &&
    policy.kind !== 'asset' &&
    !/accept-encoding|\*/i.test(answer.headers.vary ?? '')
  )
    problems.push(
      'has no Vary: Accept-Encoding. A cache may give a compressed body to a client that cannot read it.',
    );
  if (policy.kind === 'document' && answer.headers['access-control-allow-origin'] !== '*')
    problems.push('has no Access-Control-Allow-Origin: *. Agents in browsers cannot read it.');
  const { etag } = answer.headers;
  if (!etag) problems.push('has no ETag.');
  else if (
    (await sendRequest(base, path, { headers: { ...headers, 'if-none-match': etag } })).status !==
    304
  )
    problems.push('is sent in full even though If-None-Match has its ETag. Expected 304.');
  const body = decodeBody(answer);
  if (!body) problems.push('cannot be decoded according to its Content-Encoding.');
  else if (hashContent(body) !== hash) {
    const generationTime = generatedAt(body);
    problems.push(
      generationTime && generationTime < buildTime
        ? `is older than the build: it is from ${generationTime}, and the build is from ${buildTime}. Deploy again, clear the cache, or wait: it may serve the previous release for up to five minutes.`
        : 'differs from the build. Deploy this build, build the deployed version, or, behind a cache, try again in five minutes, because it may still serve the previous release.',
    );
  }
  return problems;
}
