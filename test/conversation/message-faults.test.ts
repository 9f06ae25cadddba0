import { expect, it } from 'vitest';
import { messageFaults } from '../../src/leads/conversation/send-message.ts';

it('a message with a single unknown name gets the suggestion “text”', () => {
  expect(messageFaults({ message: 'hi' })).toContainEqual(
    expect.objectContaining({
      pointer: '/message',
      message: 'This name is unknown. Did you mean text?',
    }),
  );
  expect(messageFaults({ text: 'hi', message: 'hi' })).toContainEqual(
    expect.objectContaining({
      pointer: '/message',
      message: 'This name is unknown. Remove it.',
    }),
  );
});
