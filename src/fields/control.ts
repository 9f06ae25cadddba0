import { humanizeOption } from '../site/words/field-words.ts';
import { fieldOptions } from '../text/index.ts';
import type { FieldSpec } from './spec.ts';

/** An option to pick; an empty value means no answer. */
export interface Option {
  value: string;
  label: string;
  /** Heading that it is listed under; undefined above all headings. */
  group?: string;
}

/** The choices that a form offers. */
export interface ControlContext {
  /** Name of the field. */
  name: string;
  /** The subsite's available items. */
  items: () => Option[];
  subsites: () => Option[];
}

/**
 * The HTML control for one field. `attributes` are the attributes of the `input`, `textarea` or
 * `select`, including constraints, which reject what the server rejects as far as HTML allows.
 */
export interface Control {
  kind: 'input' | 'textarea' | 'radios' | 'select' | 'checkboxes' | 'offerings';
  attributes: Readonly<Record<string, string | number | boolean>>;
  options?: readonly Option[];
  initialValue?: string;
  /** Rows of an offerings table. */
  rows?: number;
}

const MAX_RADIOS = 4;

const NO_ANSWER_OPTION: Option = { value: '', label: fieldOptions.noAnswer };
export const PLACEHOLDER_OPTION: Option = { value: '', label: fieldOptions.placeholder };

/** Whether a person may leave a field empty: it is optional, and has no default value. */
const mayBeEmpty = ({ required, default: defaultValue }: FieldSpec): boolean =>
  !required && defaultValue === undefined;

/**
 * A list to choose one option from. Without an initial value, it starts with an empty option,
 * because a browser would otherwise select the first one for the person.
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

/** A choice of one option: radio buttons for a few options, otherwise a list. */
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

/** Formats a field value, or a code in it, for people. */
export const optionLabelOf = ({ options }: FieldSpec, value: string): string =>
  options?.[value] ?? humanizeOption(value);

export const createOption = (spec: FieldSpec, value: string): Option => ({
  value,
  label: optionLabelOf(spec, value),
});

/** Autofill tokens (HTML “autofill field”) for fields about the person, by field name. */
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

/** The autofill attribute for a field with that name. */
export const autofillAttributesOf = (name: string): Control['attributes'] =>
  AUTOCOMPLETE_TOKENS[name] ? { autocomplete: AUTOCOMPLETE_TOKENS[name] } : {};
