import type { Context } from '../operation/context.ts';
import type { Problem } from '../operation/problem.ts';
import type { FormKeys } from './form-keys.ts';
import type { RateLimits } from './rate-limit.ts';
import type { Render } from './views.ts';

/** Dependencies of every endpoint. */
export interface Dependencies {
  context: Context;
  limits: RateLimits;
  /** Keys for forms that were sent without one. */
  formKeys: FormKeys;
  render: Render;
  /** The problem to answer a thrown value with; unexpected ones are logged. */
  problemOf: (thrown: unknown) => Problem;
}

/** One request, with what the router and the server know about it. */
export interface Exchange {
  request: Request;
  /** Parameters of the path, decoded. */
  params: Readonly<Record<string, string>>;
  /** Address of the client, behind the proxies that are trusted. */
  address: string;
}

/** Answers requests. Thrown errors are answered as problems. */
export type Endpoint = (exchange: Exchange) => Response | Promise<Response>;
