import { humanizeOption } from '../site/words/field-words.ts';
import { fieldOptions } from '../text/index.ts';
import type { FieldSpec } from './spec.ts';

/** An option in a form control; an empty value means no answer. */
export interface Option {
  value: string;
  label: string;
  /** Heading under which the option is listed; undefined if it comes before all headings. */
  group?: string;
}

/** What a control needs to know about its field and the choices to offer. */
export interface ControlContext {
  /** Name of the field. */
  name: string;
  /** The subsite's available items. */
  items: () => Option[];
  subsites: () => Option[];
}

/**
 * The HTML control for one field. `attributes` are the attributes of the `input`, `textarea` or
 * `select`. They include constraints, so that the browser rejects what the server would reject, as
 * far as HTML allows.
 */
export interface Control {
  kind: 'input' | 'textarea' | 'radios' | 'select' | 'checkboxes' | 'offerings';
  attributes: Readonly<Record<string, string | number | boolean>>;
  options?: readonly Option[];
  initialValue?: string;
  /** Number of rows in a table of offerings. */
  rows?: number;
}

const MAX_RADIOS = 4;

const NO_ANSWER_OPTION: Option = { value: '', label: fieldOptions.noAnswer };
export const PLACEHOLDER_OPTION: Option = { value: '', label: fieldOptions.placeholder };

/** Whether a person may leave a field empty: it is optional and has no default value. */
const mayBeEmpty = ({ required, default: defaultValue }: FieldSpec): boolean =>
  !required && defaultValue === undefined;

/**
 * Creates a list to choose one option from. Without an initial value, the list starts with an empty
 * option; otherwise, the browser would preselect the first real one.
 */
export function createSelectControl(
  spec: FieldSpec,
  values: readonly Option[],
  emptyOption = spec.required ? PLACEHOLDER_OPTION : NO_ANSWER_OPTION,
): Control {
  const { required, default: defaultValue, initial = defaultValue } = spec;
  const hasEmptyOption = initial === undefined || mayBeEmpty(spec);
  return {
    kind: 'select',
    attributes: { required },
    options: hasEmptyOption ? [emptyOption, ...values] : values,
    initialValue: initial ?? '',
  };
}

/** Creates a control for choosing one option: radio buttons for a few options, a list for more. */
export function createChoiceControl(spec: FieldSpec, values: readonly Option[]): Control {
  if (values.length > MAX_RADIOS) return createSelectControl(spec, values);
  const { required, default: defaultValue, initial = defaultValue } = spec;
  const isOptional = mayBeEmpty(spec);
  return {
    kind: 'radios',
    attributes: { required },
    options: [...values, ...(isOptional ? [NO_ANSWER_OPTION] : [])],
    initialValue: initial ?? (isOptional ? '' : undefined),
  };
}

/** The label for a field value, or for one of its codes, as people see it. */
export const optionLabelOf = ({ options }: FieldSpec, value: string): string =>
  options?.[value] ?? humanizeOption(value);

export const createOption = (spec: FieldSpec, value: string): Option => ({
  value,
  label: optionLabelOf(spec, value),
});

/**
 * Autofill tokens (the HTML `autocomplete` attribute) for fields about the person, by field name.
 */
const AUTOCOMPLETE_TOKENS: Readonly<Record<string, string>> = {
  name: 'name',
  email: 'email',
  phone: 'tel',
  address: 'address-line1',
  city: 'address-level2',
  zip: 'postal-code',
  company: 'organization',
  brokerage: 'organization',
  business_name: 'organization',
};

/** The autofill attribute for a field with this name; empty if there is none. */
export const autofillAttributesOf = (name: string): Control['attributes'] =>
  AUTOCOMPLETE_TOKENS[name] ? { autocomplete: AUTOCOMPLETE_TOKENS[name] } : {};
