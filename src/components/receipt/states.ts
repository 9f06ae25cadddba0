/** What a state of a lead means to the person who sent it. */
export interface StateWords {
  title: string;
  /** What happens next. `{provider}` stands for the subsite, `{by}` for the time by which an answer is promised. */
  next: string;
  /** Whether nothing more is to come. */
  end: boolean;
}

/** Every state of a lead, contract.md “Lead states”. */
export const states: Readonly<Record<string, StateWords>> = {
  new: { title: 'Received', next: '{provider} reads your request and answers by {by}.', end: false },
  acknowledged: { title: 'Read', next: '{provider} has read your request and is working on an answer.', end: false },
  needs_info: { title: 'A question for you', next: '{provider} has asked you for something. Answer the mail or the call; then it goes on.', end: false },
  quoted: { title: 'Price sent', next: '{provider} has sent you a price. Nothing is agreed until both sides say so.', end: false },
  confirmed: { title: 'Confirmed', next: '{provider} has confirmed. What was agreed stands in the message to you.', end: false },
  declined: { title: 'Declined', next: '{provider} cannot do this. Nothing more will happen here.', end: true },
  withdrawn: { title: 'Withdrawn', next: 'This request was withdrawn. Nothing more will happen here.', end: true },
  expired: { title: 'Expired', next: 'This request ran out without an agreement. You may send a new one.', end: true },
  erased: { title: 'Erased', next: 'This request was erased. Nothing of it is kept.', end: true },
};
