import { expect, it } from 'vitest';
import { providerActions } from '../../src/leads/conversation/conversation.ts';
import { findMessageFaults } from '../../src/leads/conversation/customer-message.ts';
import { checkContent } from '../../src/leads/conversation/provider-content.ts';

it('a message with a single unknown name gets the suggestion “text”', () => {
  expect(findMessageFaults({ message: 'hi' })).toContainEqual(
    expect.objectContaining({
      pointer: '/message',
      message: 'This name is unknown. Did you mean text?',
    }),
  );
  expect(findMessageFaults({ text: 'hi', message: 'hi' })).toContainEqual(
    expect.objectContaining({
      pointer: '/message',
      message: 'This name is unknown. Remove it.',
    }),
  );
});

it('does not advise to send a state or an offer as text', () => {
  const [state, ...rules] = findMessageFaults({ status: 'accepted' });
  expect(state).toMatchObject({ message: 'This name is unknown. Remove it.' });
  expect(rules).toMatchObject([{ message: expect.stringContaining('accept, decline') }]);
  expect(findMessageFaults({ offerId: 'x', accept: true })).toContainEqual(
    expect.objectContaining({
      pointer: '/offerId',
      message: 'This name is unknown. Send it as the value of accept or decline.',
    }),
  );
});

it('a corrected request sent as a message is answered with how to correct a request', () => {
  const correctedRequest = { subsite: 'a', action: 'b', fields: { zip: '33701' } };
  const faults = findMessageFaults(correctedRequest);
  expect(faults.map(({ pointer }) => pointer)).toEqual(['/subsite', '/action', '/fields']);
  expect(faults[0]!.message).toContain('Send the correction to the provider as text.');
});

it('two decisions in one message are answered with which of them conflict', () => {
  const [fault] = findMessageFaults({ accept: 'a', withdraw: true });
  expect(fault).toMatchObject({
    pointer: '/withdraw',
    message: expect.stringMatching(/^accept and withdraw cannot be sent together\./),
  });
});

it('says how to correct a day of a request', () => {
  for (const name of ['pickup_date', 'return_day'])
    expect(findMessageFaults({ [name]: '2027-02-13' })).toContainEqual(
      expect.objectContaining({
        pointer: `/${name}`,
        message: expect.stringContaining('Send the correction to the provider as text.'),
      }),
    );
});

it('does not take the sender of a message for a day of the request', () => {
  const [fault] = findMessageFaults({ text: 'Hello', from: 'Dana' });
  expect(fault).toMatchObject({ pointer: '/from', message: 'This name is unknown. Remove it.' });
});

it.each(['\u0000', ' \u0007\n\u009f', '\u202e \u200b'])('a message of %j is blank', (text) => {
  expect(findMessageFaults({ text }).map(({ pointer }) => pointer)).toEqual(['/text']);
  for (const action of providerActions)
    expect(checkContent(action, { text }).errors.map(({ pointer }) => pointer)).toContain('/text');
});
