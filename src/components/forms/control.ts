import {
  EMAIL_PATTERN,
  MAX_TEXT,
  PHONE_PATTERN,
  ZIP_PATTERN,
  type Field,
} from '../../fields/fields.ts';
import type { Item } from '../../registry/catalog.ts';
import { isOver, type Registry } from '../../site/registry.ts';
import { htmlPattern } from './html-pattern.ts';
import { optionInWords } from '../../site/field-words.ts';

/** What a person picks from; an empty value stands for no answer. */
export interface Option {
  value: string;
  label: string;
}

/**
 * How one field is asked for in HTML. `attributes` are those of the `input`, `textarea` or `select`, constraints
 * included: they refuse what the server refuses, as far as HTML can say it.
 */
export interface Control {
  kind: 'input' | 'lines' | 'radios' | 'select' | 'checks' | 'offerings';
  attributes: Readonly<Record<string, string | number | boolean>>;
  options?: readonly Option[];
  /** Value shown before anything was typed. */
  preset?: string;
  /** Rows of an offerings table. */
  rows?: number;
}

/** Most options that stand side by side as radio buttons. */
const MOST_RADIOS = 4;
/** An example beyond this length asks for more than one line. */
const ONE_LINE = 40;

/** Autofill tokens (HTML “autofill field”) of fields that ask for something about the person, by field name. */
const autofill: Readonly<Record<string, string>> = {
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

/** Names of free text that people write at length. */
const LENGTHY = /^(?:notes?|details|message|question|idea|items|use_case|intended_use)$/;

const NO_ANSWER: Option = { value: '', label: 'Not sure' };
const CHOOSE: Option = { value: '', label: 'Choose one' };

function choice(field: Field, values: readonly Option[]): Control {
  const few = values.length <= MOST_RADIOS;
  const open = !field.required && field.default === undefined;
  const none = few ? NO_ANSWER : field.required ? CHOOSE : NO_ANSWER;
  const options = few
    ? [...values, ...(open ? [none] : [])]
    : field.default === undefined
      ? [none, ...values]
      : values;
  return {
    kind: few ? 'radios' : 'select',
    attributes: { required: field.required },
    options,
    preset: field.default ?? (few && !open ? undefined : ''),
  };
}

const optionOf = (field: Field, value: string): Option => ({
  value,
  label: field.options?.[value] ?? optionInWords(value),
});

function text(name: string, field: Field, registry: Registry, items: readonly Item[]): Control {
  const { content, required } = field;
  if (field.item) {
    const options = items
      .filter((item) => !isOver(item))
      .map(({ id, title }) => ({ value: id, label: title }));
    return { ...choice(field, options), kind: 'select', options: [CHOOSE, ...options], preset: '' };
  }
  switch (content?.kind) {
    case 'subsite':
      return {
        ...choice(
          field,
          registry.subsites.map(({ name: value, title }) => ({ value, label: title })),
        ),
        kind: 'select',
      };
    case 'codes':
      return {
        kind: 'checks',
        attributes: {},
        options: content.codes.map((value) => optionOf(field, value)),
      };
    case 'offerings':
      return { kind: 'offerings', attributes: {}, rows: content.max };
    case undefined: {
      const lines = LENGTHY.test(name) || (field.example?.length ?? 0) > ONE_LINE;
      const shared = {
        required,
        maxlength: MAX_TEXT,
        ...(autofill[name] && { autocomplete: autofill[name] }),
      };
      return lines
        ? { kind: 'lines', attributes: { ...shared, rows: 4 } }
        : {
            kind: 'input',
            attributes: {
              type: 'text',
              ...shared,
              ...(required && { pattern: String.raw`.*\S.*` }),
            },
          };
    }
    default:
      return content satisfies never;
  }
}

/** The control for a field of an action; `items` are those of the subsite, for a field that names one. */
export function controlOf(
  name: string,
  field: Field,
  registry: Registry,
  items: readonly Item[] = [],
): Control {
  const { required } = field;
  const fill: Control['attributes'] = autofill[name] ? { autocomplete: autofill[name] } : {};
  switch (field.type) {
    case 'string':
      return text(name, field, registry, items);
    case 'enum':
      return choice(
        field,
        field.enum!.map((value) => optionOf(field, value)),
      );
    case 'number':
      return {
        kind: 'input',
        attributes: {
          type: 'number',
          required,
          inputmode: field.integer ? 'numeric' : 'decimal',
          step: field.integer ? 1 : 'any',
          ...(field.minimum !== undefined && { min: field.minimum }),
          ...(field.maximum !== undefined && { max: field.maximum }),
        },
      };
    case 'date':
      return {
        kind: 'input',
        attributes: {
          type: 'date',
          required,
          ...(field.notBefore && { 'data-not-before': field.notBefore }),
        },
      };
    case 'zip':
      return {
        kind: 'input',
        attributes: {
          type: 'text',
          required,
          inputmode: 'numeric',
          maxlength: 10,
          pattern: htmlPattern(ZIP_PATTERN),
          ...fill,
        },
      };
    case 'phone':
      return {
        kind: 'input',
        attributes: {
          type: 'tel',
          required,
          maxlength: 27,
          pattern: htmlPattern(PHONE_PATTERN),
          autocomplete: 'tel',
        },
      };
    case 'email':
      return {
        kind: 'input',
        attributes: {
          type: 'email',
          required,
          maxlength: 254,
          pattern: htmlPattern(EMAIL_PATTERN),
          autocomplete: 'email',
        },
      };
    default:
      return field.type satisfies never;
  }
}
