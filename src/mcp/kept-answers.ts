import { memberOf } from '../site/json-object.ts';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { evictOldest } from '../operation/evict-oldest.ts';

/**
 * Headers that the SDK compares with a message. A pure response depends only on these, the method
 * and the parameters.
 */
const HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;
/** Maximum number of cached answers, and of keys seen once. */
const MAX_ANSWERS = 400;
/** Maximum length of a cache key, in characters. */
const LONGEST_KEY = 2_000;

const BEFORE = '{"result":';
const after = (id: JSONRPCRequest['id']) => `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;

/** A map that evicts its oldest entry. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  evictOldest(map, MAX_ANSWERS);
}

/**
 * Results that depend only on the registry and the request, by the whole request except its ID:
 * lists, resources, pure tools. Every cached response came from the SDK, so a request that it would
 * reject is never answered from the cache. A response is cached at its second request; the least
 * recently used one is evicted first.
 */
export class AnswerCache {
  readonly #results = new Map<string, string>();
  readonly #seenOnce = new Map<string, true>();

  /** The cache key of a request; undefined if the request is too long. */
  keyOf(request: Request, { method, params }: JSONRPCRequest): string | undefined {
    const key = JSON.stringify([
      method,
      params ?? null,
      ...HEADERS.map((name) => request.headers.get(name)),
    ]);
    return key.length <= LONGEST_KEY ? key : undefined;
  }

  /** The cached body, or undefined. */
  find(key: string, id: JSONRPCRequest['id']): string | undefined {
    const result = this.#results.get(key);
    if (result === undefined) return undefined;
    this.#results.delete(key);
    this.#results.set(key, result);
    return `${BEFORE}${result}${after(id)}`;
  }

  /** Whether to cache the response: from the second request on. */
  shouldCache(key: string): boolean {
    if (this.#seenOnce.delete(key)) return true;
    remember(this.#seenOnce, key, true);
    return false;
  }

  /** Caches a new body, unless it is an error or has an unknown form. */
  keep(key: string, body: string, id: JSONRPCRequest['id']): void {
    const end = after(id);
    if (!body.startsWith(BEFORE) || !body.endsWith(end)) return;
    const result = body.slice(BEFORE.length, -end.length);
    if (memberOf(JSON.parse(result), 'isError')) return;
    remember(this.#results, key, result);
  }
}
