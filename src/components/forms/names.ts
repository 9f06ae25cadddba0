import type { Action, Subsite } from '../../registry/index.ts';
import { SHARED_LEAD_ENDPOINTS } from '../../registry/registry.ts';

/** Parts of a contact that a form asks for. */
export type ContactPart = 'name' | 'email' | 'phone';

/** Names of a form’s inputs: dotted where the request body nests, contract.md “One intent, one lead”. */
export interface FormNames {
  /** Inputs that are not shown, with their values. */
  hidden: Readonly<Record<string, string>>;
  /** Name of the input for an action’s field. */
  field(name: string): string;
  /** Names of the inputs for the contact; a part without one is not taken. */
  contact: Readonly<Partial<Record<ContactPart, string>>>;
  /** Parts of the contact that the endpoint refuses to be without. */
  required: readonly ContactPart[];
}

const [CAPTURE_ENDPOINT] = SHARED_LEAD_ENDPOINTS;

/** Input names of an action’s form: the endpoint for plain leads takes an action inside `data`, the others beside it. */
export function actionFormNames(subsite: Subsite, action: Action): FormNames {
  if (subsite.leadEndpoint === CAPTURE_ENDPOINT)
    return {
      hidden: { source: subsite.leadSource, 'data.action': action.verb },
      field: (name) => `data.${name}`,
      contact: { name: 'name', email: 'email' },
      required: ['email'],
    };
  return {
    hidden: { subsite: subsite.name, action: action.verb },
    field: (name) => `fields.${name}`,
    contact: { name: 'contact.name', email: 'contact.email', phone: 'contact.phone' },
    required: [],
  };
}

/** Input names of the form for a plain lead. */
export const leadFormNames = (subsite: Subsite): FormNames => ({
  hidden: { source: subsite.leadSource },
  field: (name) => `data.${name}`,
  contact: { name: 'name', email: 'email' },
  required: ['email'],
});

/** Whether the page of a subsite has a form for the action of that verb; null stands for the plain one. */
export const hasForm = ({ actions }: Subsite, verb: string | null): boolean => (verb === null ? actions.length === 0 : actions.some((action) => action.verb === verb));

/** The name of the input that a JSON Pointer into the request body leads to. */
export const inputNameOf = (pointer: string): string =>
  pointer.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');

/** An id for an element that belongs to a form’s input. */
export const idOf = (form: string, name: string): string => `${form}-${name.replaceAll(/[^A-Za-z0-9_-]/g, '-')}`;
