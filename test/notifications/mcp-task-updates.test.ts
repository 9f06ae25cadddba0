import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { changeLead, type LeadChange } from '../../src/leads/change-lead.ts';
import { createLeadTasks } from '../../src/mcp/lead-tasks.ts';
import { readLeadStatus } from '../../src/leads/status/read-lead-status.ts';
import { createLeadInState, site } from '../conversation/leads-in-states.ts';
import { openFixture, type Fixture } from '../operations/setup/fixture.ts';

/** Another process, which can change a lead; this process sees the change a moment later. */
async function openOtherProcess({ context, url }: Fixture) {
  const database = await openDatabase({ url, usesThread: false });
  onTestFinished(() => database.close());
  return { change: (change: LeadChange) => changeLead(change, { ...context, database }) };
}

describe('an update to a lead’s task', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const tasks = createLeadTasks(context);
  const call = { supportsForms: true };
  const createAcceptance = (content: object) => ({ action: 'accept', content });

  async function openQuestion() {
    const { lead } = await createLeadInState(fixture, 'new');
    await changeLead(
      { receiptToken: lead, to: 'needs_info', actor: 'provider', note: 'How wide is the gate?' },
      context,
    );
    const task = await tasks.get(lead, call);
    if (task.status !== 'input_required') throw new Error('The task asks for nothing.');
    return { lead, key: Object.keys(task.inputRequests)[0]! };
  }

  it('says that nothing was sent if its key differs from the key of the open question', async () => {
    const { lead, key } = await openQuestion();
    expect(
      await tasks.update(lead, { 'offer-old': createAcceptance({ decision: 'accept' }) }, call),
    ).toBe(`Nothing was sent: the open request is ${key}. Read it with tasks/get.`);
    expect(await tasks.update(lead, { [key]: createAcceptance({ text: 'Six feet.' }) }, call)).toBe(
      undefined,
    );
    expect(await tasks.update(lead, { [key]: createAcceptance({ text: 'Six feet.' }) }, call)).toBe(
      'Nothing was sent: the task asks for nothing at the moment. Read it with tasks/get.',
    );
  });

  it('names the missing answer to a question', async () => {
    const { lead, key } = await openQuestion();
    await expect(tasks.update(lead, { [key]: createAcceptance({}) }, call)).rejects.toMatchObject({
      errors: [
        {
          pointer: `/inputResponses/${key}/content/text`,
          message: 'It is required. Enter your answer as text.',
        },
      ],
    });
  });

  it('rejects an answer without visible characters', async () => {
    const { lead, key } = await openQuestion();
    await expect(
      tasks.update(lead, { [key]: createAcceptance({ text: '\u200b' }) }, call),
    ).rejects.toMatchObject({ errors: [{ pointer: `/inputResponses/${key}/content/text` }] });
    expect((await tasks.get(lead, call)).status).toBe('input_required');
  });

  it('says that nothing was sent if the lead has changed since the task was read', async () => {
    const { lead, offerId } = await createLeadInState(fixture, 'quoted');
    const otherProcess = await openOtherProcess(fixture);
    await tasks.get(lead, call);
    await otherProcess.change({ receiptToken: lead, to: 'declined', actor: 'provider' });
    const answer = { [`offer-${offerId}`]: createAcceptance({ decision: 'accept' }) };
    expect(await tasks.update(lead, answer, call)).toMatch(/^Nothing was sent: /);
  });
});

it('canceling a task never withdraws a request that was confirmed since the task was read', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const tasks = createLeadTasks(context);
  const { lead } = await createLeadInState(fixture, 'acknowledged');
  const otherProcess = await openOtherProcess(fixture);
  await tasks.get(lead, { supportsForms: true });
  await otherProcess.change({ receiptToken: lead, to: 'confirmed', actor: 'provider' });
  expect(await tasks.cancel(lead, { supportsForms: true })).toMatch(
    /^This task had already ended, so nothing was changed\. .*to withdraw it\. /,
  );
  const { output } = await readLeadStatus.handle(
    { receiptToken: lead },
    { channel: 'json' },
    context,
  );
  expect(output.status).toBe('confirmed');
});
