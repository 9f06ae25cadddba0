import {
  answer,
  answers,
  cancellation,
  change,
  closeQuestion,
  endOfWait,
  declineQuestion,
} from './index.ts';

/** What a provider cancels by declining a confirmed request: a booking or a request. */
export type CancellationKind = keyof typeof cancellation.title;

/** What the texts for an answer depend on. */
interface AnsweredRequest {
  /** Absent if the request is not confirmed. */
  canceledByDecline?: CancellationKind | undefined;
  /** True for a confirmed request for specific days, which no message and no new time changes. */
  hasFixedDays?: boolean | undefined;
  /** True if confirming only closes a question. */
  closesQuestion?: boolean | undefined;
  /** True while the provider is waiting for the customer’s answer to a question. */
  endsWaitForReply?: boolean | undefined;
  /** True if the request created a web page, which ends with it. */
  hasWebPage?: boolean | undefined;
}

type AnswerTexts = Readonly<Record<'title' | 'button' | 'description' | 'fieldLabel', string>>;

/** The texts for declining a request. Declining a confirmed request is called a cancellation. */
function declineTextsOf({ canceledByDecline, closesQuestion, hasWebPage }: AnsweredRequest) {
  const texts: AnswerTexts =
    canceledByDecline !== undefined
      ? {
          title: cancellation.title[canceledByDecline],
          button: cancellation.button[canceledByDecline],
          description: cancellation.description[canceledByDecline],
          fieldLabel: cancellation.fieldLabel,
        }
      : closesQuestion
        ? declineQuestion
        : answers.decline;
  return hasWebPage
    ? { ...texts, description: `${texts.description} ${answer.webPageEnds}` }
    : texts;
}

/** The texts for a provider's answer. Confirming a confirmed request again is called a change. */
export function answerTextsOf(action: keyof typeof answers, request: AnsweredRequest): AnswerTexts {
  const { canceledByDecline, hasFixedDays, closesQuestion, endsWaitForReply } = request;
  if (action === 'decline') return declineTextsOf(request);
  if (action === 'reply' && hasFixedDays)
    return { ...answers.reply, description: answers.reply.bookedDescription };
  if (action === 'reply' && canceledByDecline === 'booking')
    return { ...answers.reply, description: answers.reply.visitDescription };
  if (action === 'acknowledge' && endsWaitForReply) return endOfWait;
  if (action !== 'confirm') return answers[action];
  if (canceledByDecline !== undefined)
    return {
      ...change,
      title: change.title[canceledByDecline],
      description: hasFixedDays ? change.datedDescription : change.description,
    };
  return closesQuestion ? closeQuestion : answers.confirm;
}
