import {
  answers,
  cancellation,
  change,
  closeQuestion,
  endOfWait,
  declineQuestion,
} from './index.ts';

/** What a provider cancels by declining a confirmed request: a booking or a request. */
export type CancellationKind = keyof typeof cancellation.title;

/**
 * The texts for a provider's answer. Declining a confirmed request is called a cancellation, and
 * confirming it again is called a change; `canceledByDecline` is absent if the request is not
 * confirmed. `hasFixedDays` is true for a confirmed request for specific days, which neither a
 * message nor a new time changes. `closesQuestion` is true if confirming only closes a question.
 * `endsWaitForReply` is true while the provider is waiting for the customer’s answer to a
 * question.
 */
export const answerTextsOf = (
  answer: keyof typeof answers,
  canceledByDecline: CancellationKind | undefined,
  hasFixedDays = false,
  closesQuestion = false,
  endsWaitForReply = false,
): Readonly<Record<'title' | 'button' | 'description' | 'fieldLabel', string>> => {
  if (answer === 'reply' && hasFixedDays)
    return { ...answers.reply, description: answers.reply.bookedDescription };
  if (answer === 'reply' && canceledByDecline === 'booking')
    return { ...answers.reply, description: answers.reply.visitDescription };
  if (answer === 'acknowledge' && endsWaitForReply) return endOfWait;
  if (answer === 'decline' && canceledByDecline === undefined && closesQuestion)
    return declineQuestion;
  if (answer === 'confirm' && canceledByDecline === undefined && closesQuestion)
    return closeQuestion;
  if (canceledByDecline === undefined || (answer !== 'decline' && answer !== 'confirm'))
    return answers[answer];
  if (answer === 'confirm')
    return {
      ...change,
      title: change.title[canceledByDecline],
      description: hasFixedDays ? change.datedDescription : change.description,
    };
  return {
    title: cancellation.title[canceledByDecline],
    button: cancellation.button[canceledByDecline],
    description: cancellation.description[canceledByDecline],
    fieldLabel: cancellation.fieldLabel,
  };
};
