import { describe, expect, it } from 'vitest';
import { exampleValuesOf, kindOf } from '../../src/fields/fields.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { SHARED_LEAD_ENDPOINTS } from '../../src/site/registry.ts';
import { createOutOfAreaNotice } from '../../src/site/words/service-area.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';

const [, ACTION_PATH] = SHARED_LEAD_ENDPOINTS as [string, string];
const [{ site }] = sites as [(typeof sites)[number]];
const zipFieldsOf = ({ action }: ReturnType<typeof listActions>[number]) =>
  Object.keys(action.fields).filter((name) => kindOf(action.fields[name]!).isZipCode);
const actionsWithArea = listActions(site).filter(
  (verb) => verb.subsite.serviceZips !== undefined && zipFieldsOf(verb).length > 0,
);

const verbsWithPlace = listActions(site).flatMap((verb) =>
  Object.entries(verb.action.fields).flatMap(([place, field]) =>
    field.place ? [{ ...verb, label: verb.label, place }] : [],
  ),
);

const actionsWithFixedZip = listActions(site).flatMap((verb) =>
  Object.entries(verb.action.fields).flatMap(([name, { known, type }]) =>
    type === 'zip' && known !== undefined ? [{ ...verb, label: verb.label, name, known }] : [],
  ),
);

describe('a fixed ZIP code in a record', async () => {
  const { json } = client(await openFixture(site));

  it.each(actionsWithFixedZip)(
    'makes $label report any other ZIP code as outside its area',
    async (actionWithFixedZip) => {
      for (const [zip, isOtherArea] of [
        [actionWithFixedZip.known, false],
        [`${actionWithFixedZip.known}-1234`, false],
        ['90210', true],
      ] as const) {
        const response = await json(ACTION_PATH, {
          subsite: actionWithFixedZip.subsite.name,
          action: actionWithFixedZip.action.verb,
          fields: {
            ...exampleValuesOf(actionWithFixedZip.action.fields),
            [actionWithFixedZip.name]: zip,
          },
          contact: { email: 'dana@example.com' },
          sandbox: true,
        });
        const { notice } = (await response.json()) as { notice: string };
        const place =
          actionWithFixedZip.action.effect?.kind === 'hold'
            ? 'Pickup and return are'
            : 'This takes place';
        const expectedNotice = `${place} in ZIP code ${actionWithFixedZip.known}, not in the one that you entered.`;
        expect(notice.includes(expectedNotice), zip).toBe(isOtherArea);
      }
    },
  );

  it('exists in the sample network', () => expect(actionsWithFixedZip.length).toBeGreaterThan(0));
});

describe('a request from outside the service area', async () => {
  const fixture = await openFixture(site);
  const { json, get } = client(fixture);
  const submitLead = async (
    verb: (typeof actionsWithArea)[number],
    zip?: string,
    sandbox = false,
  ) => {
    const values = exampleValuesOf(verb.action.fields);
    for (const name of zipFieldsOf(verb)) values[name] = zip ?? values[name]!;
    const response = await json(ACTION_PATH, {
      subsite: verb.subsite.name,
      action: verb.action.verb,
      fields: values,
      contact: { email: 'dana@example.com' },
      sandbox,
    });
    return (await response.json()) as { receiptToken: string; notice: string };
  };
  const statusOf = async (token: string) =>
    (await (await get('/api/lead/{receipt}', { receipt: token })).json()) as { notice: string };

  it('does not affect what the service offers elsewhere, such as pickup', () =>
    expect(
      createOutOfAreaNotice({
        title: 'Bayline Power',
        serviceArea: 'Delivery in Pinellas County, Florida; pickup in St. Petersburg, ZIP 33713',
      }),
    ).toBe(
      'The ZIP code is outside the service area of Bayline Power (Delivery in Pinellas County, Florida), so the request may be declined, except for pickup in St. Petersburg, ZIP 33713.',
    ));

  it('is detected by most actions that ask for a ZIP code, and by some that ask for a town', () => {
    expect(actionsWithArea.length).toBeGreaterThan(8);
    expect(verbsWithPlace.length).toBeGreaterThan(3);
  });

  it.each(actionsWithArea)(
    'is accepted by $label, and the receipt and status say so',
    async (verb) => {
      const { receiptToken, notice } = await submitLead(verb, '90210-1234');
      const expectedNotice = createOutOfAreaNotice(verb.subsite);
      expect([notice, (await statusOf(receiptToken)).notice]).toEqual([
        expect.stringContaining(expectedNotice),
        expect.stringContaining(expectedNotice),
      ]);
      expect(notice).not.toContain('90210');
      expect(notice).toContain('If you mistyped it');
      const page = await get('/receipt/{receipt}', { receipt: receiptToken });
      const { correctionUrl } = (await page.json()) as { correctionUrl: string };
      const { pathname, searchParams, hash } = new URL(correctionUrl, site.base);
      expect([pathname, hash]).toEqual([verb.subsite.url, `#${verb.action.verb}`]);
      expect([...searchParams.values()].join()).not.toMatch(/90210|dana/);
      await changeLead(
        { receiptToken, to: 'declined', actor: 'provider', note: 'Too far.' },
        fixture.context,
      );
      expect((await statusOf(receiptToken)).notice).not.toContain(expectedNotice);
    },
  );

  it.each(actionsWithArea)(
    'is reported by $label in the sandbox too, where nobody can correct it',
    async (verb) => {
      const { notice } = await submitLead(verb, '90210', true);
      expect(notice).toContain(createOutOfAreaNotice(verb.subsite));
      expect(notice).not.toContain('If you mistyped it');
    },
  );

  it.each(verbsWithPlace)(
    'is reported by $label for a town or ZIP code in $place, without repeating the address',
    async ({ subsite, action, place }) => {
      const readNotice = async (value: string, isSandbox: boolean) => {
        const response = await json(ACTION_PATH, {
          subsite: subsite.name,
          action: action.verb,
          fields: { ...exampleValuesOf(action.fields), [place]: value },
          contact: { email: 'dana@example.com' },
          sandbox: isSandbox,
        });
        return ((await response.json()) as { notice: string }).notice;
      };
      for (const [value, named] of [
        ['Ocala', 'Ocala'],
        ['12 Oak St, Ocala, FL 34470', 'The ZIP code'],
        ['10310 Oak St, Miami', 'Miami'],
        ['Ft Myers', 'Ft. Myers'],
        ['Largo, Maryland', 'Maryland'],
        ['nueva york', 'Nueva York'],
      ] as const) {
        const expectedNotice = createOutOfAreaNotice(subsite, named);
        const realNotice = await readNotice(value, false);
        expect(realNotice, value).toContain(`${expectedNotice} If you mistyped it`);
        expect(realNotice, value).not.toMatch(/Oak|34470/);
        const sandboxNotice = await readNotice(value, true);
        expect(sandboxNotice, value).toContain(expectedNotice);
        expect(sandboxNotice, value).not.toContain('If you mistyped it');
      }
      for (const value of [
        'St. Petersburg',
        '10310 Gulf Blvd, Treasure Island',
        'From Maryland to Largo, Florida',
        'Nowhere',
      ])
        expect(await readNotice(value, false), value).not.toContain('outside the service area');
    },
  );

  it.each(actionsWithArea)('is not reported by $label for its example', async (verb) => {
    expect((await submitLead(verb)).notice).not.toContain('outside the service area');
  });
});
