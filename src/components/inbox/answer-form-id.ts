/** ID of the form to answer a lead, to which buttons elsewhere on its page belong. */
export const ANSWER_FORM_ID = 'answer';
