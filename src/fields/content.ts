import { isObject } from '../site/json-object.ts';
import { suggestNearest } from '../site/corrections/similar-names.ts';
import { formatOffering, type WrittenOffering } from '../site/words/words.ts';
import { fill } from '../text/fill.ts';
import {
  fieldInstructions,
  fieldOptions,
  offeringFaults,
  offerings as offeringTexts,
} from '../text/index.ts';
import {
  createSelectControl,
  type Control,
  type ControlContext,
  type Option,
  optionLabelOf,
  createOption,
} from './control.ts';
import type { Content, FieldSpec, ListedServices } from './spec.ts';
import { countCodePoints, FILLED_PATTERN, NAME_PATTERN } from './text-length.ts';

/** A product or service that a storefront sells. */
export interface Offering extends WrittenOffering {
  /** Present if the service added this offering as an example because the owner listed none. */
  seeded?: true;
}

/** Parses a comma-separated list of codes; white space around the codes is ignored. */
const parseCodes = (text: string): string[] =>
  text
    .split(',')
    .map((code) => code.trim())
    .filter(Boolean);

const isFilledText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && countCodePoints(value) <= max;

/** Describes the errors in a field's text, in full sentences. */
export interface ContentFault {
  /** The message for API clients; it never quotes the text. */
  message: string;
  /**
   * The message for people who fill out the form, if it differs from `message`. It refers to the
   * labels that they see.
   */
  instruction?: string;
}

/**
 * The error in an offering: the part with the error, the message for software and, if different,
 * the instruction for people who fill out the form.
 */
type OfferingFault = readonly [part: keyof Offering, message: string, instruction?: string];

function findOfferingFault(value: unknown): OfferingFault | undefined {
  if (!isObject(value)) return ['name', 'is not an object'];
  const { name, desc, priceCents, kind, ...unknownProperties } = value;
  if (!isFilledText(name, 80))
    return [
      'name',
      'needs a name of at most 80 characters',
      isFilledText(name, Number.MAX_SAFE_INTEGER) ? offeringFaults.longName : offeringFaults.noName,
    ];
  if (desc !== undefined && !(typeof desc === 'string' && countCodePoints(desc) <= 500))
    return [
      'desc',
      'has a desc that is not text of at most 500 characters',
      offeringFaults.longDescription,
    ];
  if (!(
    typeof priceCents === 'number' &&
    Number.isSafeInteger(priceCents) &&
    priceCents >= 0 &&
    priceCents <= 100_000_000
  ))
    return [
      'priceCents',
      'needs priceCents, a whole number of cents from 0 to 100000000',
      offeringFaults.price,
    ];
  if (kind !== 'one_time' && kind !== 'monthly')
    return ['kind', 'needs a kind, one_time or monthly'];
  if (Object.keys(unknownProperties).length)
    return ['name', 'has a property other than name, desc, priceCents and kind'];
  return undefined;
}

/**
 * Refers to an offering by its number for software, and by its number and name for people, as in
 * the form: “Offering 2” and “Product or service 2 (Mowing)”.
 */
function describeOffering(index: number, value: unknown): { number: string; title: string } {
  const name = isObject(value) && value['name'];
  const title = fill(offeringTexts.offering, { number: index + 1 });
  return {
    number: `Offering ${index + 1}`,
    title:
      typeof name === 'string' && name.trim()
        ? fill(offeringFaults.namedOffering, { offering: title, name: name.trim().slice(0, 80) })
        : title,
  };
}

/** JSON Schema (2020-12) of what `findOfferingFault` accepts. */
const offeringSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, pattern: FILLED_PATTERN, maxLength: 80 },
    desc: { type: 'string', maxLength: 500 },
    priceCents: { type: 'integer', minimum: 0, maximum: 100_000_000 },
    kind: { type: 'string', enum: ['one_time', 'monthly'] },
  },
  required: ['name', 'priceCents', 'kind'],
  additionalProperties: false,
};

function parseArray(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** For each offering in the text, the part with the first error; undefined for a valid offering. */
export const listInvalidParts = (text: string): (keyof Offering | undefined)[] =>
  (parseArray(text) ?? []).map((offering) => findOfferingFault(offering)?.[0]);

/** Parses valid text into offerings; returns an empty list for blank text. */
export const parseOfferings = (text: string | undefined): Offering[] =>
  (
    (parseArray(text ?? '') as (Omit<Offering, 'desc'> & { desc?: string })[] | undefined) ?? []
  ).map(({ name, desc = '', priceCents, kind }) => ({ name, desc, priceCents, kind }));

/** A structured text format. */
interface ContentKind<Kind extends Content> {
  /** The accepted form of the text, as one sentence for software. */
  rule: (content: Kind) => string;
  /** Form instruction for people; if absent, the general instruction for text is used. */
  instruction?: string;
  /** Finds the error in the text; undefined if the text is valid. */
  fault: (content: Kind, text: string, subsites: readonly string[]) => ContentFault | undefined;
  /** The error message for an invalid example in a record. */
  exampleFault: (content: Kind) => string;
  control: (content: Kind, spec: FieldSpec, context: ControlContext) => Control;
  /** The array that is accepted in place of the text; absent if only text is accepted. */
  list?: {
    /** JSON Schema (2020-12) of the array, without the type. */
    schema: (content: Kind) => Record<string, unknown>;
    /** The text to store in place of the array. An invalid array yields invalid text. */
    text: (content: Kind, list: readonly unknown[]) => string;
  };
  /** Formats the text for people; if absent, the text is unchanged. */
  format?: (text: string, spec: FieldSpec) => string;
}

const NAME_REGEXP = new RegExp(NAME_PATTERN, 'u');

/** Describes for software what a field for a subsite's name accepts. */
export const SUBSITE_RULE =
  'Enter the name of a subsite from the agent index or, over MCP, from list_subsites.';

/** Creates a list of services grouped under headings, with “Not sure” first and preselected. */
function createServiceControl(
  spec: FieldSpec,
  { unsure, groups }: ListedServices,
  subsites: readonly Option[],
): Control {
  const listed = Object.entries(groups).flatMap(([group, names]) =>
    names.flatMap((name) =>
      subsites.filter(({ value }) => value === name).map((option) => ({ ...option, group })),
    ),
  );
  return createSelectControl({ ...spec, required: true, initial: unsure }, [
    { value: unsure, label: fieldOptions.unsure },
    ...listed,
  ]);
}

const kinds: { [Kind in Content['kind']]: ContentKind<Extract<Content, { kind: Kind }>> } = {
  subsite: {
    rule: () => SUBSITE_RULE,
    fault: (content, text, subsites) =>
      subsites.includes(text)
        ? undefined
        : { message: `${kinds.subsite.rule(content)}${suggestNearest(text, subsites)}` },
    exampleFault: () => 'is not the name of a subsite. Use the name of an existing one.',
    control: (_, spec, { subsites }) =>
      spec.services
        ? createServiceControl(spec, spec.services, subsites())
        : createSelectControl(spec, subsites()),
    format: (text, { services }) => (text === services?.unsure ? fieldOptions.unsure : text),
  },
  name: {
    rule: () => 'Enter a name with at least one letter or digit.',
    instruction: fieldInstructions.name,
    fault: (content, text) =>
      NAME_REGEXP.test(text)
        ? undefined
        : { message: kinds.name.rule(content), instruction: fieldInstructions.name },
    exampleFault: () => 'has no letter or digit. Use a name with at least one.',
    control: () => ({
      kind: 'input',
      attributes: { type: 'text', pattern: `.*${NAME_PATTERN}.*` },
    }),
  },
  codes: {
    rule: ({ codes }) =>
      `Send an array of codes, or text with comma-separated codes, from: ${codes.join(', ')}.`,
    list: {
      schema: ({ codes }) => ({ items: { type: 'string', enum: codes }, minItems: 1 }),
      text: ({ codes }, list) =>
        list.length && list.every((code) => typeof code === 'string' && codes.includes(code))
          ? list.join(',')
          : JSON.stringify(list),
    },
    fault(content, text) {
      const codes = parseCodes(text);
      return codes.length && codes.every((code) => content.codes.includes(code))
        ? undefined
        : { message: kinds.codes.rule(content) };
    },
    exampleFault: ({ codes }) =>
      `contains a code that the field does not accept. Use comma-separated codes from: ${codes.join(', ')}.`,
    control: ({ codes }, spec) => ({
      kind: 'checkboxes',
      attributes: {},
      options: codes.map((code) => createOption(spec, code)),
    }),
    format: (text, spec) =>
      text
        .split(',')
        .map((code) => optionLabelOf(spec, code.trim()))
        .join(', '),
  },
  offerings: {
    rule: ({ max }) =>
      `Send an array of 1 to ${max} objects with name, desc, priceCents and kind (one_time or monthly), or the same array written as text.`,
    list: {
      schema: ({ max }) => ({ items: offeringSchema, minItems: 1, maxItems: max }),
      text: (_, list) => JSON.stringify(list),
    },
    fault(content, text) {
      const offerings = parseArray(text);
      if (!offerings || offerings.length < 1 || offerings.length > content.max)
        return { message: kinds.offerings.rule(content) };
      const faults = offerings.flatMap((offering, index) => {
        const fault = findOfferingFault(offering);
        return fault ? [[describeOffering(index, offering), ...fault] as const] : [];
      });
      const formatSentence = (words: readonly string[]) => `${words.join('; ')}.`;
      return faults.length
        ? {
            message: formatSentence(
              faults.map(([{ number }, , message]) => `${number} ${message}`),
            ),
            instruction: formatSentence(
              faults.map(
                ([{ title }, , message, instruction = message]) => `${title} ${instruction}`,
              ),
            ),
          }
        : undefined;
    },
    exampleFault: ({ max }) =>
      `is not a list of 1 to ${max} offerings. Use JSON, for example [{"name":"Mowing","desc":"Front lawn","priceCents":4500,"kind":"one_time"}].`,
    control: ({ max }) => ({ kind: 'offerings', attributes: {}, rows: max }),
    format: (text) => parseOfferings(text).map(formatOffering).join('; ') || text,
  },
};

/** The handler for each structured text format. */
export const contentKindOf = <Kind extends Content>({ kind }: Kind): ContentKind<Kind> =>
  kinds[kind] as unknown as ContentKind<Kind>;
