import { requireValidKey } from '../operation/idempotency.ts';

/** The Idempotency-Key header; undefined without one. @throws {Problem} invalid_input */
export function readKeyHeader({ headers }: Request): string | undefined {
  const key = headers.get('idempotency-key');
  return key === null ? undefined : requireValidKey(key, 'The header Idempotency-Key');
}
