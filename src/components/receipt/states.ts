/** What a state of a lead means to the person who sent it. */
export interface StateWords {
  title: string;
  /** What happens next. `{provider}` stands for the subsite, `{by}` for the time by which an answer is promised. */
  next: string;
  /** Whether nothing more is to come. */
  end: boolean;
}

/** Every state of a lead, contract.md “Lead states”, and a quoted one whose offer has expired. */
export const states: Readonly<Record<string, StateWords>> = {
  new: {
    title: 'Received',
    next: '{provider} reads your request and answers by {by}.',
    end: false,
  },
  acknowledged: {
    title: 'Read',
    next: '{provider} read your request and is working on an answer.',
    end: false,
  },
  needs_info: {
    title: 'A question for you',
    next: '{provider} needs to know more before it can answer.',
    end: false,
  },
  quoted: {
    title: 'Offer for you',
    next: '{provider} made you an offer. Nothing is agreed until you accept it and {provider} confirms.',
    end: false,
  },
  offer_expired: {
    title: 'Offer expired',
    next: 'The offer of {provider} has expired. Write to {provider} for a new one.',
    end: false,
  },
  accepted: {
    title: 'Offer accepted',
    next: 'You accepted the offer. {provider} still has to confirm.',
    end: false,
  },
  confirmed: {
    title: 'Confirmed',
    next: '{provider} confirmed your request.',
    end: false,
  },
  declined: {
    title: 'Declined',
    next: '{provider} cannot do this. Nothing more will happen here.',
    end: true,
  },
  withdrawn: {
    title: 'Withdrawn',
    next: 'This request was withdrawn. Nothing more will happen here.',
    end: true,
  },
  expired: {
    title: 'Expired',
    next: 'This request expired without a confirmation. You can send a new one.',
    end: true,
  },
  erased: { title: 'Erased', next: 'This request was erased. Nothing of it is kept.', end: true },
};
