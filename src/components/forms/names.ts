import { keysOf } from '../../site/json-object.ts';
import type { Field } from '../../fields/fields.ts';
import type { Action } from '../../registry/schemas/action.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { listContactFieldNames, contactMethods } from '../../site/forms/contact-rule.ts';
import type { ContactPart } from '../../site/forms/form-inputs.ts';
import { leadInputsOf } from '../../site/forms/lead-inputs.ts';
import type { Registry } from '../../site/registry.ts';
import { contact } from '../../text/index.ts';
import type { FormFault } from '../../site/forms/form-fault.ts';

/** The field for each contact detail, in form order. */
const contactFields: Readonly<Record<ContactPart, Field>> = {
  name: { type: 'string', label: contact.name, required: false },
  phone: { type: 'phone', label: contact.phone, required: false },
  email: { type: 'email', label: contact.email, required: false },
};

/** ID of the form for an action, or for a plain lead without one. */
export const formIdOf = (verb: string | undefined): string =>
  verb === undefined ? 'lead-form' : `${verb}-form`;

/** Names of the inputs in a subsite's form. */
export interface FormNames {
  /** Hidden inputs with their values. */
  hidden: Readonly<Record<string, string>>;
  /** Name of the input for an action’s field. */
  field: (name: string) => string;
  /** Names of the inputs for contact details; a missing detail has no input. */
  contact: Readonly<Partial<Record<ContactPart, string>>>;
  /** Contact details that the endpoint requires. */
  required: readonly ContactPart[];
}

/** Input names in the form for an action, or for a plain lead if there is no action. */
export function createFormNames(subsite: Subsite, action?: Action): FormNames {
  const { contact: parts, required, ...inputs } = leadInputsOf(subsite, action !== undefined);
  return {
    hidden: {
      [inputs.subsite.input]: subsite[inputs.subsite.recordKey],
      ...(action && { [inputs.action]: action.verb }),
    },
    field: (name) => `${inputs.fields}.${name}`,
    contact: parts,
    required,
  };
}

/**
 * Contact details that a form asks for: the endpoint accepts them, and no action field asks for
 * them.
 */
export const listContactParts = (names: FormNames, fields: readonly string[]): ContactPart[] =>
  keysOf(contactFields).filter((part) => names.contact[part] && !fields.includes(part));

/**
 * Names of inputs; the user must fill in at least one. Empty if all inputs are optional, or if a
 * required field of the action already asks for a phone number or an email address.
 */
export const listContactMethodInputs = (
  action: Action,
  names: FormNames,
  parts: readonly ContactPart[],
): string[] =>
  action.contact === 'optional' ||
  names.required.length > 0 ||
  listContactFieldNames(action).some((name) => action.fields[name]?.required)
    ? []
    : [
        ...listContactFieldNames(action).map(names.field),
        ...contactMethods
          .filter((part) => parts.includes(part))
          .map((part) => names.contact[part]!),
      ];

/**
 * An input: the name of its field, its own name, with dots for JSON nesting, and the field itself.
 */
export type FormInput = readonly [name: string, inputName: string, field: Field];

/** The inputs for contact details. */
export const createContactInputs = (names: FormNames, parts: readonly ContactPart[]): FormInput[] =>
  parts.map((part) => [
    part,
    names.contact[part]!,
    { ...contactFields[part], required: names.required.includes(part) },
  ]);

/** A form on a page: the data that its components share. */
export interface FormContext {
  registry: Registry;
  service: Subsite;
  /** ID of the form. */
  id: string;
  /** Visible inputs in form order, each with a labeled field. */
  inputs: readonly FormInput[];
  /** Names of inputs; the user must fill in at least one. Empty if all inputs are optional. */
  contactInputs: readonly string[];
  /** Prefilled values by field name. */
  values: Readonly<Record<string, string | undefined>>;
  /** The values that the person entered, by input name, when the page is shown again. */
  enteredValues: Readonly<Record<string, string>> | undefined;
  /** The rejected submission of this form. */
  formFault: FormFault | undefined;
}

/** Name of the first invalid input, in form order. */
export function findFirstInvalidInput({
  inputs,
  formFault,
}: Pick<FormContext, 'inputs' | 'formFault'>): string | undefined {
  const rejectedInputs = new Set(formFault?.errors.map(({ pointer }) => inputNameOf(pointer)));
  return inputs.find(([, inputName]) => rejectedInputs.has(inputName))?.[1];
}

/** Email addresses that are not questioned again when the rejected form is sent again. */
export const listCheckedEmails = (formFault: FormFault | undefined): string[] => [
  ...(formFault?.checkedEmails ?? []),
  ...(formFault?.errors ?? []).flatMap(({ kind, pointer }) => {
    const address = kind === 'mistyped' ? formFault?.values[inputNameOf(pointer)] : undefined;
    return address === undefined ? [] : [address];
  }),
];

/**
 * True if a subsite's page has a form for the action with the verb; a null verb means the plain
 * form.
 */
export const hasForm = ({ actions, contactForm }: Subsite, verb: string | null): boolean =>
  verb === null ? contactForm !== undefined : actions.some((action) => action.verb === verb);

/** The input name for a JSON Pointer into the request body. */
export const inputNameOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

/** The ID of an element that belongs to a form’s input. */
export const idOf = (form: string, name: string): string =>
  `${form}-${name.replaceAll(/[^A-Za-z0-9_-]/g, '-')}`;
