/** ID of the form to answer a lead; buttons elsewhere on the page belong to it. */
export const ANSWER_FORM_ID = 'answer';
