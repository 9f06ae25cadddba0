import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { keepAtMost } from '../operation/keep-at-most.ts';

/** Headers that the SDK compares with a message; with method and parameters they are all that a pure answer follows from. */
const HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;
/** Answers kept, and keys noticed once. */
const MAX_ANSWERS = 400;
/** Longest key that an answer is kept under, in characters. */
const LONGEST_KEY = 2_000;

const BEFORE = '{"result":';
const after = (id: JSONRPCRequest['id']) => `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;

/** A map that forgets its oldest entry. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  keepAtMost(map, MAX_ANSWERS);
}

/**
 * Results that follow from the registry and the request alone, by the whole request but its id: lists, resources, pure
 * tools. Whatever is kept was answered by the SDK, so that a request which it would refuse is never answered here. An
 * answer is kept when it is asked for a second time, the least recently used one going first.
 */
export class KeptAnswers {
  readonly #results = new Map<string, string>();
  readonly #noticed = new Map<string, true>();

  /** What an answer may be kept under; undefined where the request is too long to keep. */
  keyOf(request: Request, { method, params }: JSONRPCRequest): string | undefined {
    const key = JSON.stringify([
      method,
      params ?? null,
      ...HEADERS.map((name) => request.headers.get(name)),
    ]);
    return key.length <= LONGEST_KEY ? key : undefined;
  }

  /** The body of the answer, or undefined. */
  find(key: string, id: JSONRPCRequest['id']): string | undefined {
    const result = this.#results.get(key);
    if (result === undefined) return undefined;
    this.#results.delete(key);
    this.#results.set(key, result);
    return `${BEFORE}${result}${after(id)}`;
  }

  /** Whether the answer is to be kept: from the second time on. */
  isWanted(key: string): boolean {
    if (this.#noticed.delete(key)) return true;
    remember(this.#noticed, key, true);
    return false;
  }

  /** Keeps a body that was just made, unless it is a refusal or has another form than is known here. */
  keep(key: string, body: string, id: JSONRPCRequest['id']): void {
    const end = after(id);
    if (!body.startsWith(BEFORE) || !body.endsWith(end)) return;
    const result = body.slice(BEFORE.length, -end.length);
    if ((JSON.parse(result) as { isError?: boolean }).isError) return;
    remember(this.#results, key, result);
  }
}
