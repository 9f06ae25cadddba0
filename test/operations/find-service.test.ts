import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import type { OpeningHours } from '../../src/registry/schemas/opening-hours.ts';
import { findService, MAX_BYTES } from '../../src/leads/find-service.ts';
import { captureLead } from '../../src/leads/submit/capture-lead.ts';
import { createCompactBodySchema } from '../../src/leads/submit/lead-channels.ts';
import { listSiteActions, submitAction } from '../../src/leads/submit/submit-action.ts';
import { digestContract } from '../../src/site/contract.ts';
import { findAction, findSubsite, listOfferedActions } from '../../src/site/registry.ts';
import { problemOf } from './setup/refusal.ts';
import { openFixture, sites } from './setup/fixture.ts';

const call = { channel: 'json' } as const;
const ajv = new Ajv2020({ strict: false });
addFormats(ajv);

it('a person to ask has phone hours, if the registry has them', async () => {
  const [{ site }] = sites as unknown as [(typeof sites)[number]];
  const { network } = site.registry;
  const findAsk = async (hours: OpeningHours | undefined) => {
    const organization = { ...network.organization, hours };
    const registry = { ...site.registry, network: { ...network, organization } };
    const { context } = await openFixture({ ...site, registry });
    return (await findService.handle({ q: 'dog grooming' }, call, context)).output.ask;
  };
  expect(await findAsk([{ days: ['Monday'], opens: '08:00', closes: '12:30' }])).toEqual({
    phone: network.organization.phone,
    hours: 'Monday 8 am to 12:30 pm; Tuesday to Sunday closed',
    email: network.organization.email,
  });
  expect(Object.keys(await findAsk(undefined))).toEqual(['phone', 'email']);
});

describe.each(sites)('finding a service in $name', async ({ site }) => {
  const { context } = await openFixture(site);
  const { registry, base } = site;
  const find = async (query: string) =>
    (await findService.handle(findService.parse({ q: query }, context), call, context)).output;

  it.each(listSiteActions(registry))(
    'describes the body of $subsite.name $action.verb so that a matching body is accepted',
    ({ subsite, action }) => {
      const validate = ajv.compile(createCompactBodySchema(subsite, action));
      const body = {
        subsite: subsite.name,
        action: action.verb,
        contract: digestContract(subsite, action),
        fields: exampleValuesOf(action.fields),
        contact: { email: 'dana@example.com' },
        sandbox: true,
      };
      expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
      expect(submitAction.parse(body, context)).toMatchObject({ sandbox: true });
      const requiredFields = Object.keys(action.fields).filter(
        (name) => action.fields[name]!.required,
      );
      expect(validate({ ...body, fields: {} })).toBe(requiredFields.length === 0);
      expect(validate({ ...body, surplus: 1 })).toBe(false);
    },
  );

  it('finds every subsite by its title, with its record’s content, in a response of limited size', async () => {
    for (const subsite of registry.subsites) {
      const answer = await find(subsite.title);
      expect(Buffer.byteLength(JSON.stringify(answer)), subsite.name).toBeLessThanOrEqual(
        MAX_BYTES,
      );
      expect(answer.notOffered, subsite.name).toBeUndefined();
      expect(answer.ask.phone).toBe(registry.network.organization.phone);
      const found = answer.services.find(({ name }) => name === subsite.name);
      expect(found, subsite.name).toMatchObject({
        title: subsite.title,
        status: subsite.status,
        url: `${base}${subsite.url}`,
        manifest: `${base}/api/agent/${subsite.name}`,
      });
      expect(found!.actions.map(({ verb }) => verb).sort()).toEqual(
        listOfferedActions(subsite)
          .map(({ verb }) => verb)
          .sort(),
      );
      const { body, ...submit } = found!.submit ?? {};
      expect(submit, subsite.name).toEqual(
        listOfferedActions(subsite).length
          ? {}
          : { method: 'POST', url: `${base}/api/email-capture`, source: subsite.leadSource },
      );
      expect(body === undefined, subsite.name).toBe(found!.submit === undefined);
      if (!body) continue;
      const validate = ajv.compile(body);
      const minimalCapture = { email: 'dana@example.com', source: subsite.leadSource };
      const fullCapture = {
        ...minimalCapture,
        name: 'Dana',
        data: { message: 'Hi' },
        sandbox: true,
      };
      for (const one of [minimalCapture, fullCapture]) {
        expect(validate(one), JSON.stringify(validate.errors)).toBe(true);
        expect(captureLead.parse(one, context)).toMatchObject({ action: null });
      }
      expect(validate({ source: subsite.leadSource, contact: minimalCapture })).toBe(false);
    }
  });

  it('returns the nearest action’s contract and body schema', async () => {
    for (const { subsite, action } of listSiteActions(registry)) {
      if (!listOfferedActions(subsite).includes(action)) continue;
      const { services, submit } = await find(subsite.title);
      expect(submit).toMatchObject({ method: 'POST', url: `${base}/api/lead/action` });
      expect(submit!.then).toContain('Idempotency-Key header of 16 to 255 characters');
      const [first] = services.flatMap(({ name, actions }) =>
        actions.map((action) => ({ ...action, subsite: findSubsite(registry, name)! })),
      );
      expect(first?.contract).toBe(
        digestContract(first!.subsite, findAction(first!.subsite, first!.verb)!),
      );
      expect(first?.body).toMatchObject({ type: 'object' });
    }
  });

  it('gives each item the ID that the item fields of actions accept', async () => {
    const foundIds = new Set<string>();
    for (const [name, { items }] of Object.entries(registry.catalogs))
      for (const { id, title } of items) {
        const { services } = await find(`${findSubsite(registry, name)!.title} ${title}`);
        const foundItems = services.find((service) => service.name === name)?.items ?? [];
        for (const found of foundItems)
          expect(items.find((item) => item.id === found.id)?.title, title).toBe(found.title);
        if (foundItems.some((found) => found.title === title)) foundIds.add(id);
      }
    const ids = Object.values(registry.catalogs).flatMap(({ items }) => items.map(({ id }) => id));
    expect(foundIds.size).toBeGreaterThan(new Set(ids).size / 2);
  });

  it('says what the network does not offer, and whom to ask', async () => {
    for (const query of ['qqxxqqxx', 'piano lessons']) {
      const { notOffered, services, ask } = await find(query);
      expect(notOffered).toBe('We found nobody here who does that.');
      expect(services.length).toBeLessThanOrEqual(2);
      for (const { actions } of services)
        expect(actions.map((action) => Object.keys(action))).toEqual(
          actions.map(() => ['verb', 'title']),
        );
      expect(ask.email).toContain('@');
    }
    for (const { what, answer, words } of registry.network.search.notOffered) {
      const { notOffered, notOfferedCode, services } = await find(words[0]!);
      expect([notOffered, notOfferedCode]).toEqual(
        answer === undefined ? [`We don’t do ${what}.`, 'not_offered'] : [answer, 'answered'],
      );
      expect(services.flatMap(({ actions }) => actions.filter(({ body }) => body))).toEqual([]);
    }
  });

  it.each([{}, { q: '' }, { q: ' ' }, { q: ['a', 'b'] }, { q: 'x'.repeat(4001) }])(
    'rejects %j',
    async (value) =>
      expect(await problemOf(() => findService.parse(value, context))).toMatchObject({
        code: 'invalid_input',
        errors: [{ pointer: '/q', message: expect.stringContaining('/api/find?q=') }],
      }),
  );
});

it('a service is open or closed in the time zone of its network', async () => {
  const fixture = await openFixture(sites[0]!.site);
  const readOpenState = async () => {
    const input = findService.parse({ q: 'my AC is broken' }, fixture.context);
    const { output } = await findService.handle(input, call, fixture.context);
    return output.services[0]?.opening;
  };
  const openStates = new Set<string | undefined>();
  for (let hour = 0; hour < 24; hour += 6) {
    openStates.add((await readOpenState())?.split(',')[0]);
    fixture.advanceHours(6);
  }
  expect([...openStates].sort()).toEqual(['Closed now', 'Open now']);
});
