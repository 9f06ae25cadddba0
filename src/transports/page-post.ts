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
 * Whether a page’s refusal goes to a program, as problem details, and not to a person: it posts JSON, or what no form of a
 * page posts, or asks for JSON. Known before anything is read.
 */
export function wantsProblem({ method, headers }: Request): boolean {
  const type = headers.get('content-type') ?? '';
  const accept = headers.get('accept') ?? '';
  if (/^application\/(?:[a-z0-9.+-]+\+)?json\b/i.test(type)) return true;
  if (/\btext\/html\b/i.test(accept)) return false;
  return /\bjson\b/i.test(accept) || (method === 'POST' && !/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type));
}

/** Methods of a page that is only read, and of one that takes forms. */
const pageMethods = { read: ['GET', 'HEAD'], form: ['GET', 'HEAD', 'POST'] } as const;

export type PageKind = keyof typeof pageMethods;

/**
 * Refuses what a page does not take.
 * @throws {Problem} method_not_allowed
 */
export function requirePageMethod({ method }: Request, kind: PageKind): void {
  const allow = pageMethods[kind].join(', ');
  if (!allow.split(', ').includes(method)) throw new Problem('method_not_allowed', `This address takes ${allow.replace(/, (\w+)$/, ' and $1')}.`, { headers: { allow } });
}
