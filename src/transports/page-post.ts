import { Problem } from '../operations/index.ts';
import { BODY_BYTES, bodyKind, incomingOf, readBytes, readJson } from './body.ts';
import { readForm } from './form.ts';

/** What was posted to a page: a form’s texts by name, or a program’s JSON. */
export type PagePost = { kind: 'form'; texts: Readonly<Record<string, string>> } | { kind: 'json'; body: unknown };

/**
 * Reads what was posted to a page.
 * @throws {Problem} too_large, unsupported_media_type, malformed_body
 */
export async function readPagePost(request: Request): Promise<PagePost> {
  const kind = bodyKind(incomingOf(request), true);
  const bytes = await readBytes(request, BODY_BYTES);
  if (kind === 'json') return { kind, body: readJson(bytes) };
  const { texts } = await readForm(bytes, kind, request.headers.get('content-type')!);
  return { kind: 'form', texts: Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []))) };
}

/**
 * Refuses what a page does not take.
 * @throws {Problem} method_not_allowed
 */
export function requirePageMethod({ method }: Request): void {
  if (!['GET', 'HEAD', 'POST'].includes(method)) throw new Problem('method_not_allowed', 'This address takes GET, HEAD and POST.', { headers: { allow: 'GET, HEAD, POST' } });
}
