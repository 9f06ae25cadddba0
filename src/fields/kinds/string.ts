import * as v from 'valibot';
import { contentKind } from '../content.ts';
import { autofillOf, CHOOSE, choice, type Control } from '../control.ts';
import type { FieldKind } from '../kind.ts';
import type { ControlContext } from '../control.ts';
import type { FieldSpec } from '../spec.ts';
import { atMost, FILLED_PATTERN, filledText } from '../text-length.ts';

/** Maximum length, in characters. */
export const MAX_TEXT = 4000;

/** A field whose example is longer than this gets a multi-line input. */
const MAX_ONE_LINE = 40;

/** Names of free-text fields that get a multi-line input. */
const MULTILINE_NAMES = /^(?:notes?|details|message|question|idea|items|use_case|intended_use)$/;

function freeText({ required, example }: FieldSpec, name: string): Control {
  const shared = { required, maxlength: MAX_TEXT, ...autofillOf(name) };
  return MULTILINE_NAMES.test(name) || (example?.length ?? 0) > MAX_ONE_LINE
    ? { kind: 'textarea', attributes: { ...shared, rows: 4 } }
    : {
        kind: 'input',
        attributes: { type: 'text', ...shared, ...(required && { pattern: String.raw`.*\S.*` }) },
      };
}

function itemChoice(spec: FieldSpec, { items }: ControlContext): Control {
  const options = items();
  return {
    ...choice(spec, options),
    kind: 'select',
    options: [CHOOSE, ...options],
    initialValue: '',
  };
}

/** Text, optionally structured or naming an item of the subsite. */
export const string: FieldKind = {
  keys: ['item', 'content'],
  exampleFault: ({ content }, example, subsites) =>
    content && contentKind(content).exampleFault(content, example, subsites),
  jsonSchema: ({ required }) => ({
    type: 'string',
    ...(required && { minLength: 1, pattern: FILLED_PATTERN }),
    maxLength: MAX_TEXT,
  }),
  check({ required, content }, { subsites }) {
    const plain: v.GenericSchema<string, string> = required
      ? filledText(MAX_TEXT)
      : v.pipe(v.string(), atMost(MAX_TEXT));
    if (!content) return plain;
    return v.pipe(
      plain,
      v.rawCheck(({ dataset, addIssue }) => {
        const fault =
          dataset.typed && (required || dataset.value.trim())
            ? contentKind(content).fault(content, dataset.value, subsites)
            : undefined;
        if (fault)
          addIssue({
            message: fault.message,
            ...(fault.instruction && { expected: fault.instruction }),
          });
      }),
    );
  },
  rule: ({ content }) =>
    content ? contentKind(content).rule(content) : `Write text of at most ${MAX_TEXT} characters.`,
  instruction: ({ content, example = '' }) =>
    content?.kind === 'subsite'
      ? 'Choose a service.'
      : example.length > MAX_ONE_LINE
        ? 'Tell us in a few words.'
        : 'Fill this in.',
  control(spec, context) {
    if (spec.item) return itemChoice(spec, context);
    const { content } = spec;
    return content
      ? contentKind(content).control(content, spec, context)
      : freeText(spec, context.name);
  },
  inWords: (text, spec) =>
    (spec.content && contentKind(spec.content).inWords?.(text, spec)) ?? text,
};
