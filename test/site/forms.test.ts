import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { createControl } from '../../src/components/forms/control.ts';
import { labelOf } from '../../src/site/words/field-words.ts';
import { createFormNames, idOf, inputNameOf } from '../../src/components/forms/names.ts';
import {
  CONTACT_ANCHOR,
  formUrlOf,
  HONEYPOT_INPUT,
  KEY_INPUT,
} from '../../src/site/forms/form-inputs.ts';
import type { Action } from '../../src/registry/schemas/action.ts';
import { isSoldOrPast, itemsOf } from '../../src/site/registry.ts';
import type { Subsite } from '../../src/registry/schemas/subsite.ts';
import { readBuiltSite } from '../browser/template-pages.ts';

const textOf = (html: string) =>
  html
    .replaceAll(/&#3[49];|&quot;/g, '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

interface Tag {
  tag: string;
  attributes: Record<string, string>;
}

/** Start tags of the given elements with their attributes, in document order. */
const tagsOf = (html: string, ...names: string[]): Tag[] =>
  [
    ...html.matchAll(
      new RegExp(`<(${names.join('|')})((?:\\s+[^\\s=>]+(?:="[^"]*")?)*)\\s*/?>`, 'g'),
    ),
  ].map(([, tag, rest]) => ({
    tag: tag!,
    attributes: Object.fromEntries(
      [...rest!.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [
        name!,
        textOf(value ?? ''),
      ]),
    ),
  }));

/** The form on a page that has the given ID. */
const formOf = (html: string, id: string) =>
  new RegExp(`<form id="${id}"[\\s\\S]*?</form>`).exec(html)?.[0];

/** Fields that a form asks for. */
const listVisibleFields = ({ fields }: Action) =>
  Object.entries(fields).filter(([, { known }]) => known === undefined);

const stripRowSuffix = (name: string) => name.replace(/\.\d+\.(?:name|desc|price|kind)$/, '');

describe.each(['mainBuild', 'fourBuild'] as const)('the forms of %s', (build) => {
  const outDir = inject(build);
  const { registry } = readBuiltSite(outDir);
  const htmlOf = ({ url }: Subsite) =>
    readFileSync(join(outDir, 'client', url === '/' ? 'index.html' : `${url}.html`), 'utf8');
  const actions = registry.subsites.flatMap((subsite) =>
    subsite.actions.map((action) => ({ subsite, action, name: `${subsite.name}.${action.verb}` })),
  );
  const subsitesWithoutActions = registry.subsites.filter(
    (subsite) => subsite.actions.length === 0 && subsite.url !== '/',
  );

  const inputsOf = (form: string) => tagsOf(form, 'input', 'textarea', 'select');
  const namesOf = (subsite: Subsite, action: Action) => {
    const names = createFormNames(subsite, action);
    const contact =
      action.effect?.kind === 'import' && names.required.length === 0
        ? []
        : Object.entries(names.contact)
            .filter(([contactPart]) => !Object.hasOwn(action.fields, contactPart))
            .map(([, name]) => name);
    return [
      ...Object.keys(names.hidden),
      KEY_INPUT,
      HONEYPOT_INPUT,
      ...Object.keys(action.fields).map(names.field),
      ...contact,
    ];
  };

  it.each(actions)(
    'include one for $name that posts to its lead endpoint',
    ({ subsite, action }) => {
      const form = formOf(htmlOf(subsite), `${action.verb}-form`);
      expect(form).toBeDefined();
      const [{ attributes }] = tagsOf(form!, 'form') as [Tag];
      expect(attributes).toMatchObject({
        method: 'post',
        action: formUrlOf(subsite, action.verb),
        toolname: action.verb,
        tooldescription: action.description,
      });
      const hiddenInputs = Object.fromEntries(
        inputsOf(form!)
          .filter((input) => input.attributes['type'] === 'hidden')
          .map((input) => [input.attributes['name'], input.attributes['value']]),
      );
      const names = createFormNames(subsite, action);
      expect(hiddenInputs).toEqual({
        ...names.hidden,
        ...Object.fromEntries(
          Object.entries(action.fields).flatMap(([name, { known }]) =>
            known === undefined ? [] : [[names.field(name), known]],
          ),
        ),
        [KEY_INPUT]: '',
      });
    },
  );

  it.each(actions)('ask only for the fields of $name and the contact', ({ subsite, action }) => {
    const form = formOf(htmlOf(subsite), `${action.verb}-form`)!;
    const inputNames = new Set(
      inputsOf(form)
        .filter(({ attributes }) => attributes['type'] !== 'submit')
        .map((input) => stripRowSuffix(input.attributes['name']!)),
    );
    expect([...inputNames].sort()).toEqual(namesOf(subsite, action).sort());
  });

  it.each(actions)(
    'constrain each input of $name as its definition does',
    ({ subsite, action }) => {
      const form = formOf(htmlOf(subsite), `${action.verb}-form`)!;
      const names = createFormNames(subsite, action);
      const items = itemsOf(registry, subsite.name);
      for (const [name, field] of listVisibleFields(action)) {
        const control = createControl(name, field, registry, items);
        const inputs = inputsOf(form).filter(
          (input) => input.attributes['name'] === names.field(name),
        );
        if (control.kind === 'radios' || control.kind === 'checkboxes') {
          expect(inputs.map((input) => input.attributes['value'])).toEqual(
            control.options!.map(({ value }) => value),
          );
          expect(inputs.map((input) => input.attributes['value']).filter(Boolean)).toEqual(
            field.enum ?? (field.content?.kind === 'codes' ? field.content.codes : []),
          );
          continue;
        }
        if (control.kind === 'offerings') continue;
        expect(inputs, name).toHaveLength(1);
        for (const [attribute, value] of Object.entries(control.attributes)) {
          if (value === false) expect(inputs[0]!.attributes, name).not.toHaveProperty(attribute);
          else
            expect(inputs[0]!.attributes[attribute], `${name} ${attribute}`).toBe(
              value === true ? '' : String(value),
            );
        }
        expect(inputs[0]!.attributes).toHaveProperty('toolparamdescription');
        if (control.kind === 'select') {
          const select = new RegExp(
            `<select id="${idOf(`${action.verb}-form`, names.field(name))}"[\\s\\S]*?</select>`,
          ).exec(form)![0];
          const values = tagsOf(select, 'option').map((option) => option.attributes['value'] ?? '');
          expect(values.filter(Boolean)).toEqual(
            (field.enum && [...new Set([...Object.keys(field.options ?? {}), ...field.enum])]) ??
              (field.item
                ? items.filter((item) => !isSoldOrPast(item)).map(({ id }) => id)
                : field.services
                  ? [field.services.unsure, ...Object.values(field.services.groups).flat()]
                  : registry.subsites.map((other) => other.name)),
          );
        }
      }
    },
  );

  it.each(actions)(
    'label every input of $name, and say what happens next',
    ({ subsite, action }) => {
      const form = formOf(htmlOf(subsite), `${action.verb}-form`)!;
      const labeledInputs = new Set(tagsOf(form, 'label').map((label) => label.attributes['for']));
      for (const { attributes } of inputsOf(form))
        if (!['hidden', 'radio', 'checkbox'].includes(attributes['type']!))
          expect(labeledInputs, attributes['name']).toContain(attributes['id']);
      for (const [name, field] of listVisibleFields(action))
        expect(textOf(form)).toContain(labelOf(name, field));
      if (action.purpose === 'subscription') {
        expect(form).toContain('you will see a page that says how to unsubscribe.');
      } else {
        expect(form).toMatch(/We answer within \d/);
        if (action.purpose === 'question') expect(form).not.toContain('booked');
        else
          expect(form).toContain(
            action.effect?.kind === 'hold'
              ? 'They are booked once we confirm.'
              : 'Nothing is booked or paid yet.',
          );
      }
    },
  );

  it.each(subsitesWithoutActions.filter(({ contactForm }) => !contactForm))(
    'exclude $name, which has nothing to ask',
    (subsite) => {
      expect(formOf(htmlOf(subsite), 'lead-form')).toBeUndefined();
    },
  );

  it.each(subsitesWithoutActions.filter(({ contactForm }) => contactForm))(
    'include a form for questions to $name',
    (subsite) => {
      const form = formOf(htmlOf(subsite), 'lead-form')!;
      const names = createFormNames(subsite);
      expect(tagsOf(form, 'form')[0]!.attributes).toMatchObject({
        method: 'post',
        action: formUrlOf(subsite, CONTACT_ANCHOR),
      });
      expect(
        inputsOf(form)
          .map((input) => input.attributes['name'])
          .sort(),
      ).toEqual(
        [
          'email',
          'name',
          'data.question',
          KEY_INPUT,
          HONEYPOT_INPUT,
          ...Object.keys(names.hidden),
        ].sort(),
      );
      expect(
        inputsOf(form).find((input) => input.attributes['name'] === 'email')!.attributes,
      ).toMatchObject({ type: 'email', required: '' });
      expect(form).toContain(subsite.contactForm!.question);
    },
  );

  it('collapse the import form, which is for partners', () => {
    for (const { subsite, action } of actions) {
      const isCollapsed = new RegExp(`<details class="partner" id="${action.verb}">`).test(
        htmlOf(subsite),
      );
      expect(isCollapsed, action.verb).toBe(action.effect?.kind === 'import');
    }
  });

  it('hide the honeypot from people, screen readers, and autofill', () => {
    for (const { subsite, action } of actions) {
      const form = formOf(htmlOf(subsite), `${action.verb}-form`)!;
      const honeypot = inputsOf(form).find((input) => input.attributes['name'] === HONEYPOT_INPUT)!;
      expect(honeypot.attributes).toMatchObject({ autocomplete: 'off', tabindex: '-1' });
      expect(form).toMatch(/<div class="unseen" aria-hidden="true">/);
    }
  });

  it('have different tool names on the same page', () => {
    for (const subsite of registry.subsites.filter(({ url }) => url !== '/')) {
      const names = tagsOf(htmlOf(subsite), 'form').flatMap(
        (form) => form.attributes['toolname'] ?? [],
      );
      expect(new Set(names).size, subsite.name).toBe(names.length);
    }
  });
});

describe('an input name', () => {
  it('corresponds to the JSON Pointer of its value', () => {
    expect(inputNameOf('/fields/zip')).toBe('fields.zip');
    expect(inputNameOf('/data/a~1b~0c')).toBe('data.a/b~c');
  });
});
