import type { Action } from '../../src/registry/schemas/action.ts';
import type { Subsite } from '../../src/registry/schemas/subsite.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import type { RunningService } from './serve-build.ts';

/** Differences from an example request. */
interface Changes {
  fields?: Record<string, unknown>;
  contact?: object;
  headers?: Record<string, string>;
}

/** Submits an action with example values over HTTP; returns the response. */
export async function submitExample(
  { ask }: Pick<RunningService, 'ask'>,
  { subsite, action }: { subsite: Subsite; action: Action },
  { fields = {}, contact = { phone: '(727) 555-0142' }, headers = {} }: Changes = {},
): Promise<Record<string, string> & { receiptToken: string }> {
  const { status, body } = await ask('/api/lead/action', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      subsite: subsite.name,
      action: action.verb,
      fields: { ...exampleValuesOf(action.fields), ...fields },
      contact,
    }),
  });
  if (status !== 200)
    throw new Error(`${subsite.name}.${action.verb}: status ${status}, ${body.toString()}`);
  return JSON.parse(body.toString()) as Record<string, string> & { receiptToken: string };
}
