import { describe, expect, it } from 'vitest';
import { answerTextsOf } from '../../src/text/answer-words.ts';
import { answer, answers, cancellation, change, closeQuestion } from '../../src/text/index.ts';

describe('the texts for a provider’s answer', () => {
  it.each([undefined, 'booking', 'request'] as const)(
    'say that declining takes down the web page of a request, canceling: %s',
    (canceledByDecline) => {
      const { description } = answerTextsOf('decline', { canceledByDecline });
      expect(description).not.toContain(answer.webPageEnds);
      expect(answerTextsOf('decline', { canceledByDecline, hasWebPage: true }).description).toBe(
        `${description} ${answer.webPageEnds}`,
      );
    },
  );

  it('call declining a confirmed request a cancellation, and confirming it a change', () => {
    expect(answerTextsOf('decline', { canceledByDecline: 'booking' }).title).toBe(
      cancellation.title.booking,
    );
    expect(answerTextsOf('confirm', { canceledByDecline: 'booking' }).title).toBe(
      change.title.booking,
    );
    expect(answerTextsOf('confirm', { closesQuestion: true })).toBe(closeQuestion);
    expect(answerTextsOf('confirm', {})).toBe(answers.confirm);
  });
});
