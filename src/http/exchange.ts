import type { Context } from '../operation/context.ts';
import type { Problem } from '../operation/problem.ts';
import type { FormKeys } from './form-keys.ts';
import type { RateLimits } from './rate-limit.ts';
import type { Render } from './views.ts';

/** What every endpoint of an app works with. */
export interface Dependencies {
  context: Context;
  limits: RateLimits;
  /** Keys for forms that came without one. */
  formKeys: FormKeys;
  render: Render;
  /** The problem that something thrown is answered with; what nobody foresaw is logged. */
  problemOf: (thrown: unknown) => Problem;
}

/** One request, with what the router and the server found out about it. */
export interface Exchange {
  request: Request;
  /** Parameters of the path, decoded. */
  params: Readonly<Record<string, string>>;
  /** Address of the client, behind the proxies that are trusted. */
  address: string;
}

/** Answers requests. What it throws is answered as a problem. */
export type Endpoint = (exchange: Exchange) => Response | Promise<Response>;
