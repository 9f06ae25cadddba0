import type { Context } from '../operation/context.ts';
import type { Problem } from '../operation/problem.ts';
import type { FormKeyStore } from './form-keys.ts';
import type { CheckRateLimit } from './rate-limit.ts';
import type { RenderView } from './views.ts';

export interface Dependencies {
  context: Context;
  checkRateLimit: CheckRateLimit;
  /** Idempotency keys for forms that have none. */
  formKeys: FormKeyStore;
  render: RenderView;
  /** Converts a thrown value to a problem; unexpected errors are logged. */
  toProblem: (thrown: unknown) => Problem;
}

/** A request with data from the router and the server. */
export interface Exchange {
  request: Request;
  /** Decoded path parameters. */
  params: Readonly<Record<string, string>>;
  /** Client address, with trusted proxies taken into account. */
  address: string;
}

export type Endpoint = (exchange: Exchange) => Response | Promise<Response>;
