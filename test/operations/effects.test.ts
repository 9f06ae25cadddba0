import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import type { CallChannel } from '../../src/operation/operation.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import type { Receipt } from '../../src/leads/status/receipt.ts';
import { readStorefront } from '../../src/leads/storefronts/read-storefront.ts';
import type { LeadLog } from '../../src/leads/lead-log.ts';
import { readReceiptExtra } from '../../src/leads/status/read-receipt-extra.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { importLeads, type ImportRow } from '../../src/leads/submit/import-leads.ts';
import { toDateInTimeZone } from '../../src/site/calendar/days.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { readAvailableUnits } from '../../src/leads/holds/live-holds.ts';
import { slugify } from '../../src/leads/effects/storefront.ts';
import { findLiveHold, readLog } from '../../src/leads/lead-log.ts';
import type { Effect } from '../../src/registry/schemas/action.ts';
import type { Item } from '../../src/registry/schemas/catalog.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { problemOf, errorsOf } from './setup/refusal.ts';
import { listActions } from './setup/actions.ts';
import {
  chooseCases,
  itWithFile,
  openFixture,
  sites,
  type Fixture,
  withItems,
} from './setup/fixture.ts';
import { createPropertyParameters } from '../setup/seeds.ts';

/** Actions of both networks with the given kind of effect. */
function findActionsWithEffect<Kind extends Effect['kind']>(kind: Kind) {
  const matches = sites.flatMap(({ site }) =>
    listActions(site).flatMap((verb) =>
      verb.action.effect?.kind === kind
        ? [{ ...verb, site, effect: verb.action.effect as Extract<Effect, { kind: Kind }> }]
        : [],
    ),
  );
  if (!matches.length) throw new Error(`No action in the networks has the effect ${kind}.`);
  return chooseCases(matches, ({ site }) => site);
}

type ActionWithEffect = ReturnType<typeof findActionsWithEffect>[number];

const createSubmitter =
  ({ subsite, action }: Pick<ActionWithEffect, 'subsite' | 'action'>, { context }: Fixture) =>
  (fields: Record<string, unknown>, key?: string) =>
    submitAction.handle(
      submitAction.parse(
        {
          subsite: subsite.name,
          action: action.verb,
          fields: { ...exampleValuesOf(action.fields), ...fields },
        },
        context,
      ),
      { channel: 'json', ...(key !== undefined && { idempotencyKey: key }) },
      context,
    );

describe.each(findActionsWithEffect('route'))('the routing action $label', async (verb) => {
  const fixture = await openFixture(verb.site);
  const submit = createSubmitter(verb, fixture);

  it.each(chooseCases(verb.site.registry.subsites))(
    'returns the address of $name if that service is chosen',
    async ({ name, title, url }) => {
      const { output } = await submit({ [verb.effect.serviceField]: name });
      expect(output.service).toEqual({ name, title, url: `${verb.site.base}${url}` });
    },
  );

  it('names no other service on the receipt of a person who is not sure', async () => {
    const { unsure } = verb.action.fields[verb.effect.serviceField]!.services!;
    const readExtra = (chosen: string) =>
      readReceiptExtra(
        {
          receiptToken: 'x',
          status: 'new',
          subsite: verb.subsite.name,
          action: verb.action.verb,
          fields: { [verb.effect.serviceField]: chosen },
        } as unknown as LeadLog,
        fixture.context,
      );
    expect(unsure).toBe(verb.subsite.name);
    expect(await readExtra(unsure)).toEqual({});
    expect(await readExtra('hvac')).toHaveProperty('service.name', 'hvac');
  });
});

describe.each(findActionsWithEffect('import'))('the import action $label', async (verb) => {
  const fixture = await openFixture(verb.site);
  const submit = createSubmitter(verb, fixture);
  const { keyField } = verb.effect;

  it('creates one lead per ID, and returns the first receipt for a repeat', async () => {
    const first = await submit({ [keyField]: 'P-1' });
    fixture.advanceHours(100);
    const repeated = await submit({ [keyField]: 'P-1' });
    expect(repeated).toEqual({ output: first.output, replayed: true });
    expect((await submit({ [keyField]: 'P-2' })).output.receiptToken).not.toBe(
      first.output.receiptToken,
    );
    expect((await fixture.rows('leads')).length).toBe(2);
  });

  const channels = ['json', 'form', 'mcp', 'a2a', 'task'] as const satisfies readonly Exclude<
    CallChannel,
    'import'
  >[];
  const send = (channel: CallChannel, id: string, name: string, more: object = {}) =>
    submitAction.handle(
      submitAction.parse(
        {
          subsite: verb.subsite.name,
          action: verb.action.verb,
          fields: { ...exampleValuesOf(verb.action.fields), [keyField]: id },
          contact: { name },
          ...more,
        },
        fixture.context,
      ),
      { channel },
      fixture.context,
    );

  it.each(chooseCases(channels))(
    'rejects a known ID with other contents through %s, without revealing the receipt',
    async (channel) => {
      const id = `known by ${channel}`;
      for (const firstChannel of ['import', 'json'] as const) {
        const first = await send(firstChannel, `${id} ${firstChannel}`, 'Dana Reyes');
        const leadsBefore = await fixture.rows('leads');
        for (const extra of [{}, { sandbox: true }, { source: 'another' }]) {
          const problem = await problemOf(() =>
            send(
              channel,
              `${id} ${firstChannel}`,
              'source' in extra ? 'Dana Reyes' : 'Pat Lee',
              extra,
            ),
          );
          expect(problem).toMatchObject({
            code: 'idempotency_mismatch',
            errors: [{ pointer: `/fields/${keyField}` }],
          });
          expect(JSON.stringify(problem.details(''))).not.toContain(first.output.receiptToken);
        }
        expect(await fixture.rows('leads')).toEqual(leadsBefore);
      }
      // Even identical contents do not reveal the receipt of a lead that the operator imported.
      expect((await problemOf(() => send(channel, `${id} import`, 'Dana Reyes'))).code).toBe(
        'idempotency_mismatch',
      );
      await eraseLead(
        (await send('json', `${id} json`, 'Dana Reyes')).output.receiptToken,
        'person',
        fixture.context,
      );
      for (const name of ['Dana Reyes', 'Pat Lee'])
        expect((await problemOf(() => send(channel, `${id} json`, name))).code).toBe('gone');
    },
  );

  it.each(chooseCases(channels))(
    'does not replay a lead created through %s in the operator’s import, whether or not the lead is erased or the contents are the same',
    async (channel) => {
      for (const [index, name] of ['Dana Reyes', 'Pat Lee'].entries()) {
        for (const erased of [false, true]) {
          const id = `${channel} ${index} ${erased}`;
          const sent = await send(channel, id, 'Dana Reyes');
          if (erased) await eraseLead(sent.output.receiptToken, 'person', fixture.context);
          const imported = await send('import', id, name);
          expect(imported.replayed).toBe(false);
          expect(imported.output.receiptToken).not.toBe(sent.output.receiptToken);
          expect(await send('import', id, name)).toEqual({ ...imported, replayed: true });
        }
      }
    },
  );

  it('counts new, known, and erased leads of an import', async () => {
    const createRows = (ids: readonly string[]) =>
      Readable.from(
        ids.map((id, index) => ({ line: index + 2, values: { [keyField]: id } })),
      ) as AsyncIterable<ImportRow>;
    const importIds = (...ids: string[]) => importLeads(createRows(ids), verb, fixture.context);
    expect(await importIds('I-1', 'I-2', 'I-1')).toEqual({
      imported: 2,
      known: 0,
      repeated: 1,
      erased: 0,
      unreachable: [2, 3],
      refused: [],
    });
    const [{ token }] = (await fixture.rows('leads')).filter(
      ({ fields }) => JSON.parse(fields)?.[keyField] === 'I-2',
    ) as [{ token: string }];
    await eraseLead(token, 'person', fixture.context);
    expect(await importIds('I-1', 'I-2', 'I-3')).toEqual({
      imported: 1,
      known: 1,
      repeated: 0,
      erased: 1,
      unreachable: [4],
      refused: [],
    });
  });

  it('creates one lead for an ID that arrives many times at once, with and without keys', async () => {
    const leadCount = (await fixture.rows('leads')).length;
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        submit({ [keyField]: 'P-3' }, index % 2 ? `k${index}` : undefined),
      ),
    );
    expect(new Set(results.map(({ output }) => JSON.stringify(output))).size).toBe(1);
    expect((await fixture.rows('leads')).length).toBe(leadCount + 1);
  });
});

describe.each(findActionsWithEffect('storefront'))('the storefront action $label', async (verb) => {
  const fixture = await openFixture(verb.site);
  const submit = createSubmitter(verb, fixture);
  const { nameField, ideaField, themeField, placeField, offeringsField } = verb.effect;
  const read = (receipt: Receipt) =>
    readStorefront(receipt.previewUrl!.split('/biz/')[1]!, fixture.context);

  it('publishes a page immediately with the submitted content', async () => {
    const offerings = [{ name: 'Mow', desc: 'Front & back', priceCents: 4500, kind: 'monthly' }];
    const theme = verb.action.fields[themeField]!.enum!.at(-1)!;
    const { output } = await submit({
      [nameField]: 'Zoë’s  Läwn & Söns',
      [ideaField]: '<b>Mowing</b>',
      [themeField]: theme,
      [placeField]: 'Tampa',
      [offeringsField]: JSON.stringify(offerings),
    });
    const slug = new URL(output.previewUrl!).pathname.slice('/biz/'.length);
    expect(slug).toMatch(/^zoes-lawn-sons-[346789a-z]{4}$/);
    expect(await read(output)).toMatchObject({
      slug,
      subsite: verb.subsite.name,
      theme,
      name: 'Zoë’s  Läwn & Söns',
      idea: '<b>Mowing</b>',
      place: 'Tampa',
      offerings,
    });
  });

  itWithFile(
    'rejects a business name that seems to contain the name of the network or its operator, or to be the title of a subsite',
    async () => {
      const { network, subsites } = verb.site.registry;
      const { name, organization } = network;
      for (const businessName of [
        `${name} Refunds`,
        `${name}s Refund Office`,
        `${name}Refunds`,
        `${name.slice(0, 3)} ${name.slice(3)} Services LLC`,
        `${name.slice(0, 3)}${name.at(3)!.toUpperCase()}${name.slice(4)} Payments`,
        `${name.slice(0, 3)}-${name.slice(3)}`,
        ...['lI', 'il', 'i1', 'iı', 'iɪ', 'l|', 'o0', 'aа', 'eе', 'eε', 'oо', 'yу', 'mr', 'nɴ'].map(
          ([from, to]) =>
            `The ${name.toLowerCase().replaceAll(from!, to === 'r' ? 'rn' : to!)} desk`,
        ),
        [...name].join('\u0301'),
        subsites[0]!.title.toUpperCase().replaceAll(' ', '-'),
        `${subsites[0]!.title} LLC`,
        `the ${name.toUpperCase()}’s office`,
        organization.name,
      ]) {
        const { code, errors } = await problemOf(() => submit({ [nameField]: businessName }));
        expect(code).toBe('invalid_input');
        expect(errors).toMatchObject([
          {
            pointer: `/fields/${nameField}`,
            message: expect.stringContaining(organization.phone),
          },
        ]);
      }
      for (const businessName of [
        `${name}rd Lawn`,
        `Tampa ${name.slice(0, 3)} ${name.slice(3)} Dancing`,
        'Medical Billing of Tampa',
        'Modern Lawns Co',
      ])
        await submit({ [nameField]: businessName });
    },
  );

  it('uses the default theme and an offering based on the idea if neither was chosen', async () => {
    const {
      [themeField]: _,
      [offeringsField]: __,
      [placeField]: ___,
      ...fields
    } = exampleValuesOf(verb.action.fields);
    const { output } = await submitAction.handle(
      submitAction.parse(
        {
          subsite: verb.subsite.name,
          action: verb.action.verb,
          fields: { ...fields, [ideaField]: 'Bread at dawn' },
        },
        fixture.context,
      ),
      { channel: 'json' },
      fixture.context,
    );
    expect(await read(output)).toMatchObject({
      theme: verb.action.fields[themeField]!.default,
      place: null,
      offerings: [{ desc: 'Bread at dawn', priceCents: null, kind: 'one_time', seeded: true }],
    });
  });

  it('gives each storefront a unique address, even for identical names that arrive at the same time', async () => {
    const receipts = await Promise.all(
      Array.from({ length: 12 }, () => submit({ [nameField]: 'The Same Name' })),
    );
    const addresses = receipts.map(({ output }) => output.previewUrl);
    expect(new Set(addresses).size).toBe(12);
    for (const address of addresses)
      expect(address).toMatch(/\/biz\/the-same-name-[346789a-z]{4}$/);
    for (const { output } of receipts) expect((await read(output)).name).toBe('The Same Name');
  });

  it('joins the lines of a business name', async () => {
    const { output } = await submit({ [nameField]: 'Harbor\r\n Books\nand Maps' });
    expect(await read(output)).toMatchObject({ name: 'Harbor Books and Maps' });
    const lead = (await fixture.rows('leads')).find(({ token }) => token === output.receiptToken);
    expect(JSON.parse(String(lead!['fields']))).toMatchObject({
      [nameField]: 'Harbor Books and Maps',
    });
  });

  itWithFile('shows a phone number, URL or email address only after it is published', async () => {
    const contacts = [
      'https://pay.example.com/login',
      'www.example.com',
      'pay.example.co/verify?x=1.',
      'EXAMPLE.COM',
      'Bit.Ly/2',
      'evil.Com',
      'evil.Shop',
      'evil․com',
      'evil .com',
      'evil dot Com',
      'evil(dot)com',
      'evil[.]com',
      'me(at)evil(dot)com',
      '①②③④⑤⑥⑦⑧⑨⓪',
      '＠handle',
      'evil．com',
      'evil。com',
      'evil\u0336.c\u0336om',
      'dana@example.com',
      '@dana.example',
      '(727) 555-0123',
      '727.555.0123',
      '727‑555‑0123',
      '727 — 555 — 0123',
      '727·555_0123',
      '727−555−0123',
      '727,555,0123',
      '727*555*0123',
      '727|555|0123',
      '727~555~0123',
      '727  -  555 0123',
      '7️⃣2️⃣7️⃣5️⃣5️⃣5️⃣0️⃣1️⃣2️⃣3️⃣',
      '+1 727 555 01 23',
      '+442079460958',
      '٧٢٧٥٥٥٠١٢٣',
    ];
    const harmlessText =
      'Fresh bread.Baked daily... 2019 • 2020 • 2021, since 2026-11-26, e.g. 12.50 or $1,000 each at St.Pete, polka dot shops in St. Petersburg, 33701-1234 only.';
    for (const contact of contacts) {
      const name = `Call ${contact} now`;
      const value = `${harmlessText} In St. Petersburg, call ${contact} today`;
      const { output } = await submit({
        [nameField]: name,
        [ideaField]: value,
        [placeField]: value,
        [offeringsField]: JSON.stringify([
          { name, desc: value, priceCents: 100, kind: 'one_time' },
        ]),
      });
      const hiddenName = 'Call now';
      expect(output.previewUrl, contact).toMatch(/\/biz\/call-now-[346789a-z]{4}$/);
      expect(await read(output), contact).toMatchObject({
        name: hiddenName,
        idea: harmlessText,
        place: harmlessText,
        offerings: [{ name: hiddenName, desc: harmlessText }],
      });
      await fixture.context.database.writer.run(
        sql`update storefronts set bare_slug = slug where lead = ${output.receiptToken}`,
      );
      expect(await read(output), contact).toMatchObject({
        name,
        idea: value,
        place: value,
        offerings: [{ name, desc: value }],
      });
    }
  });

  it.each([
    ['Lawn care for you. Call 727-555-0199.', 'Lawn care for you.'],
    [
      'Haircuts for $20. Call (727) 555-0199 now! Walk-ins welcome.',
      'Haircuts for $20. Walk-ins welcome.',
    ],
    [
      'No job too big (or small). Ask for Dr. J. Lee at ann@example.com.',
      'No job too big (or small).',
    ],
  ])('leaves out only the sentence with the contact: %s', async (idea, shown) => {
    const name = 'Yards.com - Mowing';
    const { output } = await submit({ [nameField]: name, [ideaField]: idea });
    expect(await read(output)).toMatchObject({ name: 'Mowing', idea: shown });
  });

  itWithFile('turns every name into a URL-safe slug that never equals the sandbox slug', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('sandbox', ' SANDBOX ', '---', '👩‍🌾', 'İstanbul', 'ﬁne', 'x'.repeat(4000)),
        ),
        (name) => {
          expect(slugify(name)).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
          expect(slugify(name).length).toBeLessThanOrEqual(48);
          expect(slugify(name)).not.toBe('sandbox');
        },
      ),
      createPropertyParameters(100),
    );
  });

  it('shows a sample for the sandbox and 404 for an unused address', async () => {
    expect(await readStorefront('sandbox', fixture.context)).toMatchObject({
      slug: 'sandbox',
      subsite: verb.subsite.name,
    });
    expect((await problemOf(() => readStorefront('never', fixture.context))).code).toBe(
      'not_found',
    );
  });
});

describe('the current day', () => {
  it('is the day in the network’s time zone', () => {
    const now = new Date('2026-11-07T03:30:00Z');
    expect(
      ['UTC', 'America/New_York', 'Europe/Dublin', 'Asia/Tokyo', 'Pacific/Kiritimati'].map((zone) =>
        toDateInTimeZone(zone, now),
      ),
    ).toEqual(['2026-11-07', '2026-11-06', '2026-11-07', '2026-11-07', '2026-11-07']);
    expect(toDateInTimeZone('Pacific/Kiritimati', new Date('2026-12-31T10:00:00Z'))).toBe(
      '2027-01-01',
    );
  });
});

describe.each(findActionsWithEffect('hold'))('the hold action $label', async (verb) => {
  const { catalog, itemField, fromField, toField, hours, longestDays } = verb.effect;
  const items = itemsOf(verb.site.registry, catalog);
  const createFields = (item: string, from: string, to: string) => ({
    [itemField]: item,
    [fromField]: from,
    [toField]: to,
  });

  it('holds every unit of an item on the same days, then suggests free items', async () => {
    const fixture = await openFixture(verb.site);
    const submit = createSubmitter(verb, fixture);
    for (const [heldIndex, item] of items.entries()) {
      for (let unit = 0; unit < (item.units ?? 1); unit++) {
        const { output } = await submit(createFields(item.id, '2027-05-01', '2027-05-03'));
        expect(Date.parse(output.hold!.expiresAt) - Date.parse(output.createdAt)).toBe(
          hours * 3_600_000,
        );
      }
      const freeIds = items.slice(heldIndex + 1).map(({ id }) => id);
      for (const [from, to] of [
        ['2027-05-01', '2027-05-03'],
        ['2027-05-03', '2027-05-09'],
        ['2027-04-25', '2027-05-01'],
        ['2027-05-02', '2027-05-02'],
        ['2027-04-28', '2027-05-05'],
      ] as const) {
        const errors = await errorsOf(() => submit(createFields(item.id, from, to)), 'conflict');
        expect(errors[`/fields/${itemField}`]!.allowed).toEqual(freeIds);
        for (const id of freeIds) expect(errors[`/fields/${itemField}`]!.message).toContain(id);
      }
    }
    const leadCount = (await fixture.rows('leads')).length;
    expect(leadCount).toBe(items.reduce((sum, item) => sum + (item.units ?? 1), 0));
    await submit(createFields(items[0]!.id, '2027-05-04', '2027-05-05'));
    await submit(createFields(items[0]!.id, '2027-04-29', '2027-04-30'));
  });

  it('states how long a hold lasts, and which dates each field accepts', () => {
    expect(verb.action.description).toMatch(
      new RegExp(
        ` An item is held for ${hours} hours, or until the last day ends if that is sooner\\. ${hours < 24 ? '' : 'If that time is up during one of the days, the item is held until that day ends\\. '}Without a phone number or an email address, it is held for 30 minutes\\.$`,
      ),
    );
    expect(verb.action.fields[fromField]!.description).toMatch(
      /\. Today before closing time, or a later day, at most 180 days ahead\.$/,
    );
    expect(verb.action.fields[toField]!.description).toMatch(
      new RegExp(`\\. At most ${longestDays} days, counting the first and last\\.$`),
    );
  });

  it('rejects dates before today in the network’s time zone, and more days than its record allows', async () => {
    const fixture = await openFixture(verb.site);
    const submit = createSubmitter(verb, fixture);
    const { timeZone } = verb.site.registry.network;
    const toDate = (ahead: number) =>
      toDateInTimeZone(timeZone, new Date(fixture.context.now().getTime() + ahead * 86_400_000));
    const [item] = items as unknown as [(typeof items)[number]];
    for (const from of ['0000-01-01', toDate(-1)])
      expect(await errorsOf(() => submit(createFields(item.id, from, toDate(1))))).toEqual({
        [`/fields/${fromField}`]: {
          pointer: `/fields/${fromField}`,
          message: `That day has passed. Choose ${toDate(0)} or a later day.`,
          min: toDate(0),
        },
      });
    for (const to of ['9999-12-31', toDate(longestDays)])
      expect(await errorsOf(() => submit(createFields(item.id, toDate(0), to)))).toEqual({
        [`/fields/${toField}`]: {
          pointer: `/fields/${toField}`,
          message: `Choose ${toDate(longestDays - 1)} or an earlier day: holds can last at most ${longestDays} days.`,
          min: toDate(0),
          max: toDate(longestDays - 1),
        },
      });
    expect(await fixture.rows('leads')).toEqual([]);
    const first = await submit(createFields(item.id, toDate(0), toDate(longestDays - 1)), 'today');
    await submit(createFields(items.at(-1)!.id, '9999-12-31', '9999-12-31'));
    const input = createFields(item.id, toDate(0), toDate(longestDays - 1));
    fixture.advanceHours(30);
    expect(await submit(input, 'today')).toEqual({ output: first.output, replayed: true });
    await errorsOf(() => submit(input, 'tomorrow'));
  });

  it('releases the dates when an unconfirmed hold lapses', async () => {
    const fixture = await openFixture(verb.site);
    const submit = createSubmitter(verb, fixture);
    const [item] = items as unknown as [(typeof items)[number]];
    for (let unit = 0; unit < (item.units ?? 1); unit++)
      await submit(createFields(item.id, '2027-05-01', '2027-05-03'));
    await errorsOf(() => submit(createFields(item.id, '2027-05-01', '2027-05-03')), 'conflict');
    const receipts = (await fixture.rows('leads')).map((row) => String(row['token']));
    const findHold = async (token: string) =>
      findLiveHold(await readLog(token, fixture.context), fixture.context.now());
    for (const token of receipts) expect(await findHold(token)).toBeDefined();
    fixture.advanceHours(hours + 1);
    for (const token of receipts) expect(await findHold(token)).toBeUndefined();
    await submit(createFields(item.id, '2027-05-01', '2027-05-03'));
  });

  it('stores nothing from a refused lead, and the lead’s key can be reused', async () => {
    const fixture = await openFixture(verb.site);
    const submit = createSubmitter(verb, fixture);
    const item = items.find(({ units = 1 }) => units === 1)!;
    await submit(createFields(item.id, '2027-05-01', '2027-05-03'));
    await errorsOf(
      () => submit(createFields(item.id, '2027-05-03', '2027-05-04'), 'once more'),
      'conflict',
    );
    for (const table of ['leads', 'lead_history', 'outbox', 'holds'] as const)
      expect((await fixture.rows(table)).length, table).toBe(1);
    expect(await fixture.rows('idempotency')).toEqual([]);
    expect(
      (await submit(createFields(item.id, '2027-05-04', '2027-05-05'), 'once more')).replayed,
    ).toBe(false);
  });

  it('gives the same answer in the sandbox as outside it', async () => {
    const fixture = await openFixture(verb.site);
    const submit = createSubmitter(verb, fixture);
    const item = items.find(({ units = 1 }) => units === 1)!;
    await submit(createFields(item.id, '2027-05-01', '2027-05-03'));
    const submitInSandbox = (from: string) =>
      submitAction.handle(
        submitAction.parse(
          {
            subsite: verb.subsite.name,
            action: verb.action.verb,
            fields: {
              ...exampleValuesOf(verb.action.fields),
              ...createFields(item.id, from, from),
            },
            sandbox: true,
          },
          fixture.context,
        ),
        { channel: 'json' },
        fixture.context,
      );
    await errorsOf(() => submitInSandbox('2027-05-02'), 'conflict');
    expect((await submitInSandbox('2027-05-04')).output.hold).toBeDefined();
  });

  it('never holds an item twice on one day, whatever the order of requests, and even if they are concurrent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            item: fc.constantFrom(...items.map(({ id }) => id)),
            from: fc.integer({ min: 1, max: 9 }),
            days: fc.integer({ min: 0, max: 4 }),
          }),
          { minLength: 10, maxLength: 30 },
        ),
        async (requests) => {
          const fixture = await openFixture(verb.site);
          const submit = createSubmitter(verb, fixture);
          const toDate = (number: number) => `2027-05-${String(number).padStart(2, '0')}`;
          const outcomes = await Promise.allSettled(
            requests.map(({ item, from, days }) =>
              submit(createFields(item, toDate(from), toDate(from + days))),
            ),
          );
          const holds = await fixture.rows('holds');
          expect(holds.length).toBe(outcomes.filter(({ status }) => status === 'fulfilled').length);
          expect((await fixture.rows('leads')).length).toBe(holds.length);
          for (const [index, hold] of holds.entries()) {
            expect(hold['unit']).toBeLessThanOrEqual(
              items.find(({ id }) => id === hold['item'])!.units ?? 1,
            );
            for (const other of holds.slice(index + 1))
              if (hold['item'] === other['item'] && hold['unit'] === other['unit'])
                expect(
                  hold['to_day'] < other['from_day'] || other['to_day'] < hold['from_day'],
                ).toBe(true);
          }
        },
      ),
      createPropertyParameters(inject('libsqlServer') ? 2 : 8),
    );
  });

  /** A request for an item that now has this many units. */
  const createSubmitterWithUnits = (
    item: Item,
    units: number,
    { context, ...fixture }: Fixture,
  ) => {
    const changedItems = items.map((other) => (other === item ? { ...item, units } : other));
    const changedContext = { ...context, site: withItems(verb.site, catalog, changedItems) };
    return {
      context: changedContext,
      submit: createSubmitter(verb, { ...fixture, context: changedContext }),
    };
  };

  it('accepts a request only if the calendar shows an available unit, and always then, even after units are removed', async () => {
    const [item] = items as unknown as [Item];
    const anyDays = fc
      .record({ from: fc.integer({ min: 1, max: 3 }), days: fc.nat(1) })
      .map(({ from, days }) => ({ from: `2027-05-0${from}`, to: `2027-05-0${from + days}` }));
    const anyRequest = fc.record({ days: anyDays, isWithdrawn: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRequest, { minLength: 3, maxLength: 7 }),
        fc.integer({ min: 1, max: 3 }),
        anyDays,
        async (earlierRequests, units, days) => {
          const fixture = await openFixture(verb.site);
          const { context, submit } = createSubmitterWithUnits(item, 4, fixture);
          const withdrawnLeads: string[] = [];
          for (const { days, isWithdrawn } of earlierRequests) {
            const answer = await submit(createFields(item.id, days.from, days.to)).catch(
              () => undefined,
            );
            if (answer && isWithdrawn) withdrawnLeads.push(answer.output.receiptToken);
          }
          for (const lead of withdrawnLeads)
            await changeLead({ receiptToken: lead, to: 'withdrawn', actor: 'person' }, context);
          const laterSubmitter = createSubmitterWithUnits(item, units, fixture);
          const [free] = await readAvailableUnits(
            { effect: verb.effect, items },
            { ...item, units },
            [days],
            laterSubmitter.context,
          );
          const isAccepted = await laterSubmitter
            .submit(createFields(item.id, days.from, days.to))
            .then(
              () => true,
              () => false,
            );
          expect(isAccepted).toBe(free! > 0);
        },
      ),
      createPropertyParameters(inject('libsqlServer') ? 2 : 20),
    );
  });

  it('confirms no expired hold of a removed unit while another customer has the last unit', async () => {
    const fixture = await openFixture(verb.site);
    const [item] = items as unknown as [Item];
    const submitWith = async (units: number) => {
      const { submit } = createSubmitterWithUnits(item, units, fixture);
      const { output } = await submit(createFields(item.id, '2027-05-01', '2027-05-01'));
      return output.receiptToken;
    };
    const withdrawnLead = await submitWith(2);
    const expiredLead = await submitWith(2);
    await changeLead(
      { receiptToken: withdrawnLead, to: 'withdrawn', actor: 'person' },
      fixture.context,
    );
    fixture.advanceHours(hours + 1);
    await submitWith(1);
    const { context } = createSubmitterWithUnits(item, 1, fixture);
    const problem = await problemOf(() =>
      changeLead({ receiptToken: expiredLead, to: 'confirmed', actor: 'provider' }, context),
    );
    expect(problem.code).toBe('conflict');
  });
});
