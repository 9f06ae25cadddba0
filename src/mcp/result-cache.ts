import { memberOf } from '../site/json-object.ts';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { evictOldest } from '../operation/evict-oldest.ts';

/** Headers that the SDK compares with a message, so that a response depends on them. */
const KEYED_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;
/** Maximum number of cached results, and of requests seen only once. */
const MAX_RESULTS = 400;
const MAX_KEY_LENGTH = 2_000;

const BODY_START = '{"result":';
const createBodyEnd = (id: JSONRPCRequest['id']) => `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;

/** Adds an entry and evicts the oldest entries beyond the maximum. */
function setWithEviction<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  evictOldest(map, MAX_RESULTS);
}

/**
 * Caches results that depend only on the registry and the request (lists, resources, pure tools),
 * keyed by the whole request except its ID. Every cached result came from the SDK, so a request
 * that the SDK would reject is never answered from the cache. A result is cached when it is
 * requested a second time; the least recently used result is evicted first.
 */
export class ResultCache {
  readonly #results = new Map<string, string>();
  readonly #seenOnce = new Map<string, true>();

  keyOf(request: Request, { method, params }: JSONRPCRequest): string | undefined {
    const key = JSON.stringify([
      method,
      params ?? null,
      ...KEYED_HEADERS.map((name) => request.headers.get(name)),
    ]);
    return key.length <= MAX_KEY_LENGTH ? key : undefined;
  }

  find(key: string, id: JSONRPCRequest['id']): string | undefined {
    const result = this.#results.get(key);
    if (result === undefined) return undefined;
    this.#results.delete(key);
    this.#results.set(key, result);
    return `${BODY_START}${result}${createBodyEnd(id)}`;
  }

  shouldCache(key: string): boolean {
    if (this.#seenOnce.delete(key)) return true;
    setWithEviction(this.#seenOnce, key, true);
    return false;
  }

  /** Caches the result in a response body, unless it is an error or has an unknown format. */
  store(key: string, body: string, id: JSONRPCRequest['id']): void {
    const end = createBodyEnd(id);
    if (!body.startsWith(BODY_START) || !body.endsWith(end)) return;
    const result = body.slice(BODY_START.length, -end.length);
    if (memberOf(JSON.parse(result), 'isError')) return;
    setWithEviction(this.#results, key, result);
  }
}
