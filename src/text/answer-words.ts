import { answers, cancellation } from './en/answer.ts';

/** What declining a confirmed request cancels. */
export type CancellationKind = keyof typeof cancellation.title;

/**
 * The words for a provider's answer. Declining a confirmed request is called a cancellation;
 * `canceledByDecline` is absent if the request is not confirmed.
 */
export const answerTextsOf = (
  answer: keyof typeof answers,
  canceledByDecline: CancellationKind | undefined,
): Readonly<Record<'title' | 'button' | 'description' | 'fieldLabel', string>> =>
  answer === 'decline' && canceledByDecline !== undefined
    ? {
        title: cancellation.title[canceledByDecline],
        button: cancellation.button[canceledByDecline],
        description: cancellation.description[canceledByDecline],
        fieldLabel: cancellation.fieldLabel,
      }
    : answers[answer];
