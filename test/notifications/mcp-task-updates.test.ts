import { describe, expect, it } from 'vitest';
import { changeLead } from '../../src/leads/change-lead.ts';
import { createLeadTasks } from '../../src/mcp/lead-tasks.ts';
import { createLeadInState, site } from '../conversation/leads-in-states.ts';
import { openFixture } from '../operations/setup/fixture.ts';

describe('an update of a lead’s task', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const tasks = createLeadTasks(context);
  const call = { supportsForms: true };
  const accepted = (content: object) => ({ action: 'accept', content });

  async function openQuestion() {
    const { lead } = await createLeadInState(fixture, 'new');
    await changeLead(
      { lead, to: 'needs_info', actor: 'provider', note: 'How wide is the gate?' },
      context,
    );
    const task = await tasks.get(lead, call);
    if (task.status !== 'input_required') throw new Error('The task asks nothing.');
    return { lead, key: Object.keys(task.inputRequests)[0]! };
  }

  it('says that nothing was sent if its key differs from the key of the open question', async () => {
    const { lead, key } = await openQuestion();
    expect(await tasks.update(lead, { 'offer-old': accepted({ decision: 'accept' }) }, call)).toBe(
      `Nothing was sent: the open request is ${key}. Read it with tasks/get.`,
    );
    expect(await tasks.update(lead, { [key]: accepted({ text: 'Six feet.' }) }, call)).toBe(
      undefined,
    );
    expect(await tasks.update(lead, { [key]: accepted({ text: 'Six feet.' }) }, call)).toBe(
      'Nothing was sent: the task asks for nothing at the moment. Read it with tasks/get.',
    );
  });

  it('names the missing answer to a question', async () => {
    const { lead, key } = await openQuestion();
    await expect(tasks.update(lead, { [key]: accepted({}) }, call)).rejects.toMatchObject({
      errors: [
        {
          pointer: `/inputResponses/${key}/content/text`,
          message: 'It is required. Enter your answer as text.',
        },
      ],
    });
  });
});
