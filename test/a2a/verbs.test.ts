import { TaskState } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { listSingleFieldFaults, listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import {
  bindings,
  createBindingClient,
  dataIn,
  createEndpoint,
  message,
  receiptOf,
  taskOf,
} from './setup/endpoint.ts';

const contact = { name: 'Dana Reyes', email: 'dana@example.com' };

describe.each(sites)('the actions of $name over A2A', async ({ site }) => {
  const { context, rows } = await openFixture(site);
  const fetchImpl = createEndpoint(context);
  const verbs = listActions(site);

  describe.each(bindings)('over %s', async (binding) => {
    const client = await createBindingClient(context, binding, fetchImpl);

    it.each(verbs)(
      '$label creates a lead from its example and returns the receipt',
      async ({ subsite, action }) => {
        const data = {
          subsite: subsite.name,
          action: action.verb,
          fields: exampleValuesOf(action.fields),
          contact,
          idempotencyKey: `key of ${binding} ${subsite.name} `.replaceAll(' ', '-') + action.verb,
        };
        const task = taskOf(await client.sendMessage(message({ data })));
        expect(task.status?.state).toBe(TaskState.TASK_STATE_WORKING);
        const receipt = receiptOf(task);
        expect(receipt).toMatchObject({
          subsite: subsite.name,
          action: action.verb,
          status: 'new',
        });
        const lead = (await rows('leads')).find(({ token }) => token === receipt.receiptToken)!;
        expect([lead['channel'], lead['contact_email']]).toEqual(['a2a', contact.email]);
        const { idempotencyKey: _, ...body } = data;
        expect(JSON.parse(lead['fields'])).toEqual(submitAction.parse(body, context).fields);
      },
    );
  });

  it.each(verbs)(
    '$label reports any single error at its field and waits for corrected data',
    async ({ subsite, action }) => {
      const client = await createBindingClient(context, 'JSONRPC', fetchImpl);
      for (const { description, fields, pointer } of listSingleFieldFaults(action)) {
        // The client rejects invalid JSON before it reaches the server.
        if (Object.values(fields).includes(Infinity)) continue;
        const task = taskOf(
          await client.sendMessage(
            message({ data: { subsite: subsite.name, action: action.verb, fields } }),
          ),
        );
        expect(task.status?.state, description).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
        const problem = dataIn(task.status?.message?.parts);
        expect(problem.code).toBe('invalid_input');
        expect(
          problem.errors.map((error: any) => error.pointer),
          description,
        ).toEqual([`/fields${pointer}`]);
      }
    },
  );
});
