import { answers, cancellation } from './en/answer.ts';

/** What declining a confirmed request cancels. */
export type Cancels = keyof typeof cancellation.title;

/**
 * The words for a provider's answer. Declining a confirmed request is called a cancellation;
 * `cancels` is absent if the request is not confirmed.
 */
export const answerTextsOf = (
  answer: keyof typeof answers,
  cancels: Cancels | undefined,
): Readonly<Record<'title' | 'does' | 'asks', string>> =>
  answer === 'decline' && cancels !== undefined
    ? {
        title: cancellation.title[cancels],
        does: cancellation.does[cancels],
        asks: cancellation.asks,
      }
    : answers[answer];
