import type { Action } from '../../registry/schemas/action.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { type Field, parseValue } from '../../fields/fields.ts';
import {
  CONTACT_ANCHOR,
  FORM_PARAMETER,
  ITEM_PARAMETER,
  type LeadInputs,
} from '../../site/forms/form-inputs.ts';
import { memberOf } from '../../site/json-object.ts';
import { findAction, findItemWithForm, findSubsite, itemPath } from '../../site/registry.ts';
import type { FormTexts, OperationForm } from '../../operation/operation.ts';
import type { Receipt } from '../status/receipt.ts';

const textOf = (value: string | FormTexts | undefined): string =>
  typeof value === 'string' ? value.trim() : '';

/**
 * Converts a dollar price such as `45` or `$12.50` to cents. Other text is left unchanged for
 * validation to reject.
 */
function parseCents(price: string): number | string | null {
  const [, dollars, cents = ''] = /^\$?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(price) ?? [];
  if (dollars === undefined) return price || null;
  return Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
}

/**
 * Converts form rows to the JSON text of an offerings field. The rows `0` to `n` have `name`,
 * `desc`, `price` in dollars, and `kind`. Empty rows are ignored; undefined if all are empty.
 */
function readOfferingsFromForm(rows: FormTexts): string | undefined {
  const offerings = Object.keys(rows)
    .sort((a, b) => Number(a) - Number(b))
    .flatMap((index) => {
      const row = rows[index];
      if (typeof row !== 'object') return [];
      const [name, desc, price] = [textOf(row['name']), textOf(row['desc']), textOf(row['price'])];
      return name || desc || price
        ? [{ name, desc, priceCents: parseCents(price), kind: textOf(row['kind']) || 'one_time' }]
        : [];
    });
  return offerings.length ? JSON.stringify(offerings) : undefined;
}

/** Converts form text to a field value. Invalid text is left unchanged for validation to reject. */
function valueOf(field: Field | undefined, value: string | FormTexts): unknown {
  if (typeof value === 'object')
    return field?.content?.kind === 'offerings' ? readOfferingsFromForm(value) : value;
  return field ? parseValue(field, value) : value;
}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  '1': true,
  false: false,
  '0': false,
};

/** Converts form text to a boolean. Other text is left unchanged for validation to reject. */
export const parseBoolean = (sent: string | FormTexts): boolean | string | FormTexts =>
  typeof sent === 'string' ? (memberOf(booleans, sent) ?? sent) : sent;

/** Converts a lead form to a JSON body. `member` is the body member with the action's fields. */
export function readLeadForm(
  texts: FormTexts,
  member: 'fields' | 'data',
  action: Action | undefined,
): Record<string, unknown> {
  const { sandbox, [member]: inner, ...rest } = texts;
  const values =
    typeof inner === 'object'
      ? Object.fromEntries(
          Object.entries(inner)
            .map(([name, value]) => [name, valueOf(memberOf(action?.fields, name), value)] as const)
            .filter(([, value]) => value !== undefined),
        )
      : inner;
  return {
    ...rest,
    ...(values !== undefined && { [member]: values }),
    ...(sandbox !== undefined && { sandbox: parseBoolean(sandbox) }),
  };
}

/** The text at a dotted name in a form. */
const textAt = (texts: FormTexts, name: string): string | undefined => {
  const [first = '', ...rest] = name.split('.');
  const inner = texts[first];
  if (typeof inner === 'object') return textAt(inner, rest.join('.'));
  return rest.length ? undefined : inner;
};

/**
 * The form of a lead endpoint, on the subsite's page; `fixedValues` has the values that the URL
 * determines.
 */
export const createLeadForm = (
  inputs: LeadInputs,
  fixedValues: { subsite?: Subsite; action?: Action } = {},
): OperationForm<Receipt> => ({
  rule: inputs.rule,
  read(texts, { registry }, query) {
    const { input, recordKey: by } = inputs.subsite;
    const named = textAt(texts, input);
    const subsite = fixedValues.subsite ?? registry.subsites.find((other) => other[by] === named);
    const verb = textAt(texts, inputs.action) ?? '';
    const action = fixedValues.action ?? (subsite && findAction(subsite, verb));
    return {
      body: readLeadForm(texts, inputs.fields, action),
      formLocation: subsite && {
        subsite: subsite.name,
        verb: action?.verb ?? null,
        item: findItemWithForm(registry, subsite, action, query?.get(ITEM_PARAMETER))?.item.id,
      },
    };
  },
  pageAt({ query }, { registry }) {
    const [name = '', anchor = ''] = query.get(FORM_PARAMETER)?.split('.') ?? [];
    const subsite = findSubsite(registry, name) ?? fixedValues.subsite;
    if (!subsite) return '/';
    const action = findAction(subsite, anchor);
    const found = findItemWithForm(registry, subsite, action, query.get(ITEM_PARAMETER));
    if (found) return `${itemPath(found.catalog, found.item)}#${anchor}`;
    const isForm = anchor === CONTACT_ANCHOR ? subsite.contactForm : action;
    return isForm ? `${subsite.url}#${anchor}` : subsite.url;
  },
  pageOf: ({ receiptUrl }) => new URL(receiptUrl).pathname,
});
