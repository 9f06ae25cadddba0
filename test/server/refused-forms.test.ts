import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exampleValuesOf, kindOf } from '../../src/fields/fields.ts';
import { createFormNames } from '../../src/components/forms/names.ts';
import { CONTACT_ANCHOR, formUrlOf, KEY_INPUT } from '../../src/site/forms/form-inputs.ts';
import {
  SHARED_LEAD_ENDPOINTS,
  itemFieldOf,
  itemPath,
  listActionsFor,
} from '../../src/site/registry.ts';
import { escapeXml } from '../../src/site/escape-xml.ts';
import { createEndBeforeStartMessage } from '../../src/site/forms/date-rule.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { labelOf } from '../../src/site/words/field-words.ts';
import { addNonBreakingSpaces } from '../../src/site/words/non-breaking-spaces.ts';
import { listActions } from '../operations/setup/actions.ts';
import { inputsOf } from '../transports/setup/send.ts';
import { type RunningService, serveBuild } from './serve-build.ts';

const [CAPTURE_PATH, ACTION_PATH] = SHARED_LEAD_ENDPOINTS as [string, string];

describe.each(['mainBuild', 'fourBuild'] as const)('a refused form of %s', (build) => {
  const site = readBuiltSite(inject(build));
  const verbs = listActions(site);
  const actionsWithOfferings = verbs.flatMap((verb) =>
    Object.entries(verb.action.fields).flatMap(([name, { content }]) =>
      content?.kind === 'offerings' ? [{ ...verb, name }] : [],
    ),
  );
  const subsitesWithActions = site.registry.subsites.filter(({ actions }) => actions.length > 0);
  let service: RunningService;
  beforeAll(async () => {
    service = await serveBuild(inject(build));
  });
  afterAll(async () => {
    await service.stop();
  });

  const post = async (path: string, inputs: Record<string, string>) => {
    const { status, body } = await service.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(inputs).toString(),
    });
    const html = body.toString();
    return {
      status,
      html,
      alerts: [...html.matchAll(/<div class="fault-summary"[\s\S]*?<\/div>/g)].map(
        ([alert]) => alert,
      ),
      keys: [...html.matchAll(new RegExp(`name="${KEY_INPUT}" value="([^"]*)"`, 'g'))].map(
        ([, key]) => key!,
      ),
    };
  };

  it.each(subsitesWithActions)(
    'explains at the top of the page that no form of $name sent the request, and keeps the entered values',
    async (subsite) => {
      const enteredText = 'typed <b>at length</b>';
      const attempts: { path: string; inputs: Record<string, string>; at: string }[] = [
        {
          path: ACTION_PATH,
          inputs: { subsite: subsite.name, action: 'no_such_action', 'fields.notes': enteredText },
          at: 'action',
        },
        {
          path: ACTION_PATH,
          inputs: { subsite: subsite.name, 'contact.name': enteredText },
          at: 'action',
        },
        {
          path: CAPTURE_PATH,
          inputs: { source: subsite.leadSource, email: 'bad', name: enteredText },
          at: 'email',
        },
        {
          path: CAPTURE_PATH,
          inputs: {
            source: subsite.leadSource,
            email: 'dana@example.com',
            name: enteredText,
            'data.action': 'no_such_action',
          },
          at: 'data.action',
        },
      ];
      for (const { path, inputs, at: pointer } of attempts) {
        const { status, alerts } = await post(path, inputs);
        expect([status, alerts.length], pointer).toEqual([400, 1]);
        expect(alerts[0]).toMatch(new RegExp(`<code>${pointer.replace('.', '\\.')}</code>: \\S`));
        expect(alerts[0]).toContain('typed &lt;b&gt;at length&lt;/b&gt;');
        for (const { verb } of subsite.actions)
          expect(alerts[0], verb).toContain(`href="#${verb}"`);
      }
    },
  );

  it.each(verbs)(
    'keeps the key of $label in the only form that is shown again',
    async ({ subsite, action }) => {
      const inputs = {
        ...inputsOf({
          subsite: subsite.name,
          action: action.verb,
          fields: exampleValuesOf(action.fields),
          contact: { email: 'dana@example.com' },
        }),
        unknown_name: 'x',
        [KEY_INPUT]: 'kept-for-this-form',
      };
      const { status, alerts, keys } = await post(ACTION_PATH, inputs);
      expect([status, alerts.length]).toEqual([400, 1]);
      expect(alerts[0]).toContain('<code>unknown_name</code>');
      expect(alerts[0]).toContain('This has not been sent yet.');
      expect(keys.filter(Boolean)).toEqual(['kept-for-this-form']);
    },
  );

  it.each(verbs)('puts one mark after each label in the errors of $label', async (verb) => {
    const { subsite, action } = verb;
    const { alerts } = await post(
      ACTION_PATH,
      inputsOf({ subsite: subsite.name, action: action.verb, fields: {}, contact: {} }),
    );
    const marks = [...alerts.join('').matchAll(/(.)<\/a>(.)/g)].map(
      ([, last, next]) => last! + next!,
    );
    expect(alerts).toHaveLength(1);
    for (const mark of marks) expect(mark).toMatch(/^[:?] $/);
  });

  it.each(actionsWithOfferings)(
    'describes errors in an offering of $label by row',
    async ({ subsite, action, name }) => {
      const fields = inputsOf({
        subsite: subsite.name,
        action: action.verb,
        fields: { ...exampleValuesOf(action.fields), [name]: undefined },
        contact: { email: 'dana@example.com' },
      });
      delete fields[`fields.${name}`];
      for (const [row, words, part] of [
        [
          { name: 'Mow', price: '12.345' },
          'needs a price in dollars with at most two decimal places',
          'price',
        ],
        [{ name: 'Mow' }, 'needs a price in dollars', 'price'],
        [{ price: '5' }, 'needs a name', 'name'],
        [
          { name: 'Mow', price: '5', desc: 'x'.repeat(501) },
          'has a description of more than 500 characters',
          'desc',
        ],
      ] as const) {
        const { status, alerts, html } = await post(ACTION_PATH, {
          ...fields,
          ...inputsOf({ fields: { [name]: { 0: { kind: 'one_time', ...row } } } }),
        });
        expect(status).toBe(400);
        expect(alerts[0]).toContain(words);
        expect(alerts[0]).not.toMatch(/priceCents|\bdesc\b/);
        const markedInputs = [...html.matchAll(/<input[^>]*aria-invalid="true"[^>]*>/g)].map(
          String,
        );
        expect(markedInputs).toEqual([expect.stringContaining(`name="fields.${name}.0.${part}"`)]);
        expect(markedInputs[0]).toContain('autofocus');
        expect(markedInputs[0]).toContain('aria-describedby');
      }
    },
  );

  it('has the same message for each value as the page’s script', async () => {
    for (const { label, subsite, action } of verbs)
      for (const [name, field] of Object.entries(action.fields)) {
        // A form does not ask for known values.
        if (field.type === 'string' || field.type === 'enum' || field.known !== undefined) continue;
        const names = createFormNames(subsite, action);
        const examples = Object.entries(exampleValuesOf(action.fields));
        const { alerts } = await post(subsite.leadEndpoint, {
          ...names.hidden,
          ...Object.fromEntries(
            examples.map(([field, value]) => [names.field(field), String(value)]),
          ),
          [names.contact.email!]: 'dana@example.com',
          [names.field(name)]: 'x',
        });
        // A number with hyphens has an element that keeps it on one line.
        expect(alerts[0]!.replaceAll(/<\/?span[^>]*>/g, ''), `${label} ${name}`).toContain(
          addNonBreakingSpaces(kindOf(field).instruction(field)),
        );
        expect(alerts[0], `${label} ${name}`).not.toMatch(/YYYY|quotes|as text/);
      }
  });

  it('suggests a date, with its weekday, in place of an unavailable date', async () => {
    for (const { label, subsite, action } of verbs) {
      if (action.effect?.kind !== 'hold') continue;
      const { fromField, toField } = action.effect;
      const fields = exampleValuesOf(action.fields);
      const submitDays = async (days: Record<string, string>) =>
        (
          await post(ACTION_PATH, {
            ...inputsOf({ subsite: subsite.name, action: action.verb, fields }),
            'contact.email': 'dana@example.com',
            ...days,
          })
        ).alerts[0]!;
      const pastDatePage = await submitDays({ [`fields.${fromField}`]: '2020-01-01' });
      expect(pastDatePage, label).toMatch(/Choose \w+day, \w+\s\d+,\s\d{4} or a later day[.:]/);
      const lateDatePage = await submitDays({ [`fields.${toField}`]: '9999-12-31' });
      expect(lateDatePage, label).toMatch(/Choose \w+day, \w+\s\d+,\s\d{4} or an earlier day/);
      const dateError = await submitDays({ [`fields.${toField}`]: '2020-01-01' });
      expect(dateError, label).toContain(
        createEndBeforeStartMessage(labelOf(fromField, action.fields[fromField]!)),
      );
    }
  });

  it('redirects to the empty form when its address is opened again, and lists its methods to programs', async () => {
    const forms = site.registry.subsites.flatMap((subsite) => [
      ...subsite.actions.map(({ verb }) => ({ subsite, anchor: verb })),
      ...(subsite.contactForm ? [{ subsite, anchor: CONTACT_ANCHOR }] : []),
    ]);
    const open = async (address: string, accept: string) => {
      const { status, headers } = await service.ask(address, { headers: { accept } });
      return { status, location: headers.location, allow: headers.allow };
    };
    for (const { subsite, anchor } of forms) {
      const address = formUrlOf(subsite, anchor);
      expect(await open(address, 'text/html'), address).toMatchObject({
        status: 303,
        location: `${subsite.url}#${anchor}`,
      });
      expect(await open(address, '*/*'), address).toMatchObject({
        status: 405,
        allow: 'POST, OPTIONS',
      });
    }
    for (const path of [
      '/api/lead/action?form=//example.com',
      '/api/lead/action?form=.x',
      ACTION_PATH,
    ])
      expect(await open(path, 'text/html'), path).toMatchObject({ status: 303, location: '/' });
  });

  it('is shown again on the page of its item, unless the item is at fault', async () => {
    const forms = site.registry.subsites.flatMap((subsite) => {
      const catalog = site.registry.catalogs[subsite.name];
      if (!catalog?.route) return [];
      return catalog.items.flatMap((item) =>
        listActionsFor(item, subsite)
          .filter((action) => itemFieldOf(action) !== undefined)
          .map((action) => ({ subsite, catalog, item, action })),
      );
    });
    if (build === 'mainBuild') expect(forms.length).toBeGreaterThan(10);
    for (const { subsite, catalog, item, action } of forms.slice(0, 12)) {
      const address = formUrlOf(subsite, action.verb, item.id);
      const names = createFormNames(subsite, action);
      const itemInput = names.field(itemFieldOf(action)!);
      const inputs = { ...names.hidden, [itemInput]: item.id, [names.contact.name!]: 'Lee Ito' };
      const readTitle = (html: string) =>
        /<h1>([^<]*)<\/h1>/.exec(html)?.[1]?.replaceAll('\u2060', '');
      const { status, html, alerts } = await post(address, inputs);
      expect([address, status, readTitle(html), alerts.length]).toEqual([
        address,
        400,
        escapeXml(addNonBreakingSpaces(item.title)),
        1,
      ]);
      expect(html).toContain('<title>Error: ');
      expect(html).toContain('content="noindex"');
      expect(html).toContain('value="Lee Ito"');
      expect(html).toContain(`name="${itemInput}" value="${item.id}"`);
      const other = await post(address, { ...inputs, [itemInput]: 'no-such-item' });
      expect([address, other.status, readTitle(other.html)]).toEqual([
        address,
        400,
        escapeXml(addNonBreakingSpaces(subsite.title)),
      ]);
      expect(
        (await service.ask(address, { headers: { accept: 'text/html' } })).headers.location,
      ).toBe(`${itemPath(catalog, item)}#${action.verb}`);
      expect((await post(formUrlOf(subsite, action.verb, 'no-such-item'), inputs)).html).toContain(
        `id="${action.verb}-form"`,
      );
    }
  });

  it('explains that its key belongs to different input, and gets a new key', async () => {
    const [{ subsite, action }] = verbs.filter((verb) => !verb.action.effect) as [
      (typeof verbs)[number],
    ];
    const inputs = {
      ...inputsOf({
        subsite: subsite.name,
        action: action.verb,
        fields: exampleValuesOf(action.fields),
        contact: { email: 'dana@example.com' },
      }),
      [KEY_INPUT]: 'taken-by-another',
    };
    expect((await post(ACTION_PATH, inputs)).status).toBe(303);
    const { status, alerts, keys } = await post(ACTION_PATH, { ...inputs, 'contact.name': 'Lee' });
    expect(status).toBe(422);
    expect(alerts[0]).toContain('You sent this form before');
    expect(keys.filter(Boolean)).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(
      (
        await post(ACTION_PATH, {
          ...inputs,
          'contact.name': 'Lee',
          [KEY_INPUT]: keys.find(Boolean)!,
        })
      ).status,
    ).toBe(303);
  });
});
