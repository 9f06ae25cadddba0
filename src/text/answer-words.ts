import { answers, cancellation, change, closing, endOfWait, refusal } from './index.ts';

/** What declining a confirmed request cancels. */
export type CancellationKind = keyof typeof cancellation.title;

/**
 * The words for a provider's answer. Declining a confirmed request is called a cancellation, and
 * confirming it again a change; `canceledByDecline` is absent if the request is not confirmed.
 * `keepsDays` is true for a confirmed request with days: neither a message nor a new time changes
 * its days. `closesQuestion` is true if a confirmation would only close a question. `endsWait` is true
 * while the customer’s answer to a question is awaited.
 */
export const answerTextsOf = (
  answer: keyof typeof answers,
  canceledByDecline: CancellationKind | undefined,
  keepsDays = false,
  closesQuestion = false,
  endsWait = false,
): Readonly<Record<'title' | 'button' | 'description' | 'fieldLabel', string>> => {
  if (answer === 'reply' && keepsDays)
    return { ...answers.reply, description: answers.reply.bookedDescription };
  if (answer === 'reply' && canceledByDecline === 'booking')
    return { ...answers.reply, description: answers.reply.visitDescription };
  if (answer === 'acknowledge' && endsWait) return endOfWait;
  if (answer === 'decline' && canceledByDecline === undefined && closesQuestion) return refusal;
  if (answer === 'confirm' && canceledByDecline === undefined && closesQuestion) return closing;
  if (canceledByDecline === undefined || (answer !== 'decline' && answer !== 'confirm'))
    return answers[answer];
  if (answer === 'confirm')
    return {
      ...change,
      title: change.title[canceledByDecline],
      description: keepsDays ? change.datedDescription : change.description,
    };
  return {
    title: cancellation.title[canceledByDecline],
    button: cancellation.button[canceledByDecline],
    description: cancellation.description[canceledByDecline],
    fieldLabel: cancellation.fieldLabel,
  };
};
