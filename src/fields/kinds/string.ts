import * as v from 'valibot';
import { type ContentFault, contentKindOf } from '../content.ts';
import {
  autofillAttributesOf,
  PLACEHOLDER_OPTION,
  createSelectControl,
  type Control,
} from '../control.ts';
import type { CheckContext, FieldKind } from '../kind.ts';
import type { Content, FieldSpec } from '../spec.ts';
import { suggestNearest } from '../../site/corrections/similar-names.ts';
import { startsWithYour, labelWithinSentence } from '../../site/words/field-words.ts';
import { fill } from '../../text/fill.ts';
import { fieldInstructions } from '../../text/index.ts';
import { createReadableCheck, FILLED_PATTERN, createTextLengthCheck } from '../text-length.ts';

/** Maximum length of a text field, in characters. */
export const MAX_TEXT_LENGTH = 4000;

/** A field whose example is longer than this gets a multi-line input. */
const MAX_SINGLE_LINE_LENGTH = 40;

/** Names of free-text fields that get a multi-line input. */
const MULTILINE_NAME_PATTERN =
  /^(?:notes?|details|message|question|idea|items|use_case|intended_use)$/;

function createTextControl({ required, example }: FieldSpec, name: string): Control {
  // Do not set maxlength, because browsers silently truncate pasted text at that length.
  const sharedAttributes = {
    required,
    'data-most': MAX_TEXT_LENGTH,
    ...autofillAttributesOf(name),
  };
  return MULTILINE_NAME_PATTERN.test(name) || (example?.length ?? 0) > MAX_SINGLE_LINE_LENGTH
    ? { kind: 'textarea', attributes: { ...sharedAttributes, rows: 4 } }
    : {
        kind: 'input',
        attributes: {
          type: 'text',
          ...sharedAttributes,
          ...(required && { pattern: String.raw`.*\S.*` }),
        },
      };
}

const ITEM_RULE =
  'Enter the ID of an item in the subsite’s catalog, which is the last part of its page’s URL.';

/** Converts submitted text, or an array accepted in its place, to text. */
function createTextOrListSchema(content: Content, text: v.GenericSchema<string, string>) {
  const { list } = contentKindOf(content);
  return list
    ? v.union([
        text,
        v.pipe(
          v.array(v.unknown()),
          v.transform((values) => list.text(content, values)),
          text,
        ),
      ])
    : text;
}

/** The last segment of a URL; text without a slash is unchanged. */
const lastPartOf = (text: string): string => text.slice(text.trimEnd().lastIndexOf('/') + 1);

/** Finds the error in text whose length is valid. */
function findTextFault(
  { item, content }: FieldSpec,
  text: string,
  { items, subsites }: CheckContext,
): ContentFault | undefined {
  if (item && !items.includes(text))
    return {
      message: ITEM_RULE + suggestNearest(lastPartOf(text), items),
      instruction: fieldInstructions.item,
    };
  return content && contentKindOf(content).fault(content, text, subsites);
}

/** Instruction for people: what to enter in a text field with this label. */
function describeText(label: string, isLong: boolean): string {
  const name = labelWithinSentence(label);
  if (startsWithYour(label)) return fill(fieldInstructions.ownText, { label: name });
  if (isLong) return fieldInstructions.fewWords;
  return label && !label.endsWith('?')
    ? fill(fieldInstructions.text, { label: name })
    : fieldInstructions.answer;
}

/** Text, which may be structured or be the ID of one of the subsite's items. */
export const string: FieldKind = {
  keys: ['item', 'place', 'content'],
  findExampleFault: ({ content }, example, subsites) =>
    content && contentKindOf(content).fault(content, example, subsites)
      ? contentKindOf(content).exampleFault(content)
      : undefined,
  jsonSchema({ required, content }) {
    const list = content && contentKindOf(content).list;
    return {
      type: list ? ['string', 'array'] : 'string',
      ...(required && { minLength: 1, pattern: FILLED_PATTERN }),
      maxLength: MAX_TEXT_LENGTH,
      ...list?.schema(content!),
    };
  },
  check(spec, context) {
    const { required, item, content } = spec;
    const limit = createTextLengthCheck(MAX_TEXT_LENGTH, string.rule(spec));
    const plain: v.GenericSchema<string, string> = required
      ? v.pipe(v.string(), v.regex(new RegExp(FILLED_PATTERN, 'u')), createReadableCheck(), limit)
      : v.pipe(v.string(), limit);
    if (!item && !content) return plain;
    return v.pipe(
      content ? createTextOrListSchema(content, plain) : plain,
      v.rawCheck(({ dataset, addIssue }) => {
        const fault =
          dataset.typed && (required || dataset.value.trim())
            ? findTextFault(spec, dataset.value, context)
            : undefined;
        if (fault)
          addIssue({
            message: fault.message,
            ...(fault.instruction && { expected: fault.instruction }),
          });
      }),
    );
  },
  rule: ({ item, content, required }) =>
    item
      ? ITEM_RULE
      : content
        ? contentKindOf(content).rule(content)
        : `Enter ${required ? '1 to' : 'at most'} ${MAX_TEXT_LENGTH} characters of text.`,
  instruction: ({ item, content, label = '', example = '' }) =>
    item
      ? fieldInstructions.item
      : content?.kind === 'subsite'
        ? fieldInstructions.service
        : content && contentKindOf(content).instruction !== undefined
          ? contentKindOf(content).instruction!
          : describeText(label, example.length > MAX_SINGLE_LINE_LENGTH),
  control(spec, context) {
    if (spec.item) return createSelectControl(spec, context.items(), PLACEHOLDER_OPTION);
    const { content } = spec;
    if (!content) return createTextControl(spec, context.name);
    const control = contentKindOf(content).control(content, spec, context);
    if (content.kind !== 'name') return control;
    return {
      ...control,
      attributes: { ...createTextControl(spec, context.name).attributes, ...control.attributes },
    };
  },
  format: (text, spec) =>
    (spec.content && contentKindOf(spec.content).format?.(text, spec)) ?? text,
  isFreeText: true,
};
