import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import {
  isSoldOrPast,
  itemFieldOf,
  itemsOf,
  SHARED_LEAD_ENDPOINTS,
} from '../../src/site/registry.ts';
import { listRequirements } from '../../src/site/forms/requirements.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { client } from '../transports/setup/send.ts';

const [, ACTION_PATH] = SHARED_LEAD_ENDPOINTS as [string, string];
const [{ site }] = sites as [(typeof sites)[number]];
const actionsWithItems = listActions(site).flatMap((verb) => {
  const field = itemFieldOf(verb.action);
  return field === undefined
    ? []
    : [{ ...verb, field, items: itemsOf(site.registry, verb.subsite.name) }];
});

interface Answer {
  notice: string;
  errors: { pointer: string; message: string }[];
}

describe('what a person needs', () => {
  const choices = listActions(site).flatMap(({ label, action }) =>
    [
      ...new Set(
        (action.bring ?? []).flatMap((one) =>
          typeof one === 'string' ? [] : Object.keys(one.for ?? {}),
        ),
      ),
    ].flatMap((name) =>
      action.fields[name]!.enum!.map((value) => ({ label, action, name, value })),
    ),
  );

  it.each(choices)('names no other choice than $value: $label', ({ action, name, value }) => {
    const needs = listRequirements(action, { [name]: value }).join(' ');
    const others = action.fields[name]!.enum!.filter((other) => other !== value);
    expect(others.filter((other) => needs.includes(other))).toEqual([]);
  });
});

describe('a request about an item in a catalog', async () => {
  const { json } = client(await openFixture(site));
  const ask = async (
    { subsite, action, field }: (typeof actionsWithItems)[number],
    item: string,
  ) => {
    const response = await json(ACTION_PATH, {
      subsite: subsite.name,
      action: action.verb,
      fields: { ...exampleValuesOf(action.fields), [field]: item },
      contact: { email: 'dana@example.com' },
    });
    return { status: response.status, answer: (await response.json()) as Answer };
  };

  it('exists in the sample network', () => expect(actionsWithItems.length).toBeGreaterThan(0));

  it.each(actionsWithItems)('$label refuses an item that is not in the catalog', async (verb) => {
    const [{ id }] = verb.items as [(typeof verb.items)[number]];
    const { status, answer } = await ask(verb, `${id}s`);
    expect(status).toBe(400);
    expect(answer.errors).toEqual([
      {
        pointer: `/fields/${verb.field}`,
        message: `Enter the ID of an item in the subsite’s catalog, which is the last part of its page’s URL. Did you mean ${id}?`,
      },
    ]);
  });

  it.each(actionsWithItems)('$label says in the notice that an item is sold', async (verb) => {
    const soldItem = verb.items.find(isSoldOrPast)!;
    const availableItem = verb.items.find((item) => !isSoldOrPast(item))!;
    const soldResponse = await ask(verb, soldItem.id);
    const availableResponse = await ask(verb, availableItem.id);
    expect([soldResponse.status, availableResponse.status]).toEqual([200, 200]);
    expect(soldResponse.answer.notice).toContain(
      `${soldItem.title} is marked as sold, so the request may be declined.`,
    );
    expect(availableResponse.answer.notice).not.toContain('may be declined');
  });
});
