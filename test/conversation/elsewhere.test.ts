import { describe, expect, it } from 'vitest';
import { type Ending, listNextSteps, listOtherDaysSteps } from '../../src/site/other-services.ts';
import { findRequestedItem } from '../../src/site/forms/requested-item.ts';
import { listAlternatives, isSoldOrPast, itemFieldOf, itemsOf } from '../../src/site/registry.ts';
import { listActions } from '../operations/setup/actions.ts';
import { site } from './leads-in-states.ts';

const { registry } = site;
const verbs = listActions(site).filter(({ action }) => action.effect?.kind !== 'import');
type Verb = (typeof verbs)[number];
const requestOf = ({ subsite, action }: Verb, item?: string) => {
  const field = itemFieldOf(action) ?? (action.effect?.kind === 'hold' && action.effect.itemField);
  return {
    subsite,
    verb: action.verb,
    action,
    item: field ? findRequestedItem(registry, subsite.name, action, { [field]: item }) : undefined,
  };
};
const listStepsAfter = (ending: Ending, verb: Verb, item?: string) =>
  listNextSteps(registry, ending, requestOf(verb, item));
const listUrlsAfter = (ending: Ending, verb: Verb, item?: string) =>
  listStepsAfter(ending, verb, item).flatMap((step) => ('url' in step ? [step.url] : []));
const isRental = ({ action }: Verb) => action.effect?.kind === 'hold';

describe('a person whose request the provider has ended', () => {
  it('is offered the services named in the record', () => {
    const verb = verbs.find(({ subsite }) => listAlternatives(registry, subsite).length > 0)!;
    expect(listUrlsAfter('declined', verb)).toEqual(
      listAlternatives(registry, verb.subsite).map(({ url }) => url),
    );
  });

  it.each(verbs)('is never sent back to the same service, or to nobody: $label', (verb) => {
    const steps = listStepsAfter('declined', verb);
    expect(steps.length > 0).toBe(isRental(verb) || verb.action.purpose !== 'question');
    for (const step of steps) {
      if (step.label === 'call') expect(step.phone).toBe(registry.network.organization.phone);
      else if (step.label === 'elsewhere') expect(step.service).not.toBe(verb.subsite.title);
      // Other days of the same rental are a different request.
      else expect([step.label, isRental(verb)]).toEqual(['freeDays', true]);
      // A search for what the service does finds the service itself.
      expect(step).not.toHaveProperty('url', expect.stringContaining('/find'));
    }
  });

  it('reads first the number of a service that declined while it is open', () => {
    const verb = verbs.find(isRental)!;
    const { subsite } = verb;
    const phonesAfter = (isOpen: boolean) =>
      listNextSteps(registry, 'declined', { ...requestOf(verb), isOpen }).flatMap((step) =>
        step.label === 'call' ? [step.phone] : [],
      );
    const { phone } = registry.network.organization;
    expect(phonesAfter(true)).toEqual([subsite.phone, phone]);
    expect(phonesAfter(false)).toEqual([phone]);
  });

  it('is offered the available days for a rental', () => {
    const verb = verbs.find(isRental)!;
    const [first] = itemsOf(registry, verb.subsite.name);
    const url = `/free-days/${verb.subsite.name}/${first!.id}#free-days`;
    expect(listUrlsAfter('declined', verb, first!.id)[0]).toBe(url);
    expect(listUrlsAfter('declined', verb)[0]).toBe(url);
  });
});

it('a person who needs other days than the booked ones sees the available days and the form', () => {
  const verb = verbs.find(isRental)!;
  const [item] = itemsOf(registry, verb.subsite.name);
  const steps = listOtherDaysSteps(registry, requestOf(verb, item!.id));
  expect(steps.map(({ label }) => label)).toEqual(['freeDays', 'again']);
  expect(steps[0]).toHaveProperty('url', `/free-days/${verb.subsite.name}/${item!.id}#free-days`);
});

/** The label of the link to the form, by the purpose of the request. */
const LABELS = { request: 'again', question: 'askAgain', subscription: 'subscribeAgain' } as const;

describe.each(['withdrawn', 'canceled', 'expired'] as const)(
  'a person whose request is %s',
  (ending) => {
    it.each(verbs)('can start again with the same form: $label', (verb) => {
      const [first] = listStepsAfter(ending, verb);
      expect(first).toMatchObject({
        label: LABELS[verb.action.purpose ?? 'request'],
        url: `${verb.subsite.url}#${verb.action.verb}`,
      });
    });

    it.each(verbs)('repeats the days that have not passed: $label', (verb) => {
      const days = Object.entries(verb.action.fields).flatMap(([name, { type }]) =>
        type === 'date' ? [{ name, value: '2031-05-06' }] : [],
      );
      const listRepeatedDays = (today: string) => {
        const request = { ...requestOf(verb), fields: days, today };
        const [first] = listNextSteps(registry, ending, request);
        const { search } = new URL((first as { url: string }).url, 'http://localhost');
        return [...new URLSearchParams(search).values()];
      };
      expect(listRepeatedDays('2031-05-06')).toEqual(days.map(({ value }) => value));
      expect(listRepeatedDays('2031-05-07')).toEqual([]);
    });

    it.each(verbs)('repeats the choices, but nothing personal: $label', (verb) => {
      const { fields } = verb.action;
      const choice = Object.entries(fields).find(
        ([, field]) => field.type === 'enum' && field.enum!.length > 1,
      );
      const values = [
        ...(choice ? [{ name: choice[0], value: choice[1].enum![1]! }] : []),
        ...Object.entries(fields).flatMap(([name, { type }]) =>
          type === 'enum' || type === 'number'
            ? []
            : [{ name, value: type === 'date' ? '2031-05-06' : 'private' }],
        ),
      ];
      const [first] = listNextSteps(registry, ending, { ...requestOf(verb), fields: values });
      const { search } = new URL((first as { url: string }).url, 'http://localhost');
      expect(
        [...new URLSearchParams(search)].map(([name, value]) => [name.split('.').at(-1), value]),
      ).toEqual(choice ? [[choice[0], choice[1].enum![1]]] : []);
    });

    it.each(
      verbs.flatMap((verb) =>
        itemsOf(registry, verb.subsite.name).flatMap((item) =>
          requestOf(verb, item.id).item ? [{ name: `${verb.label} ${item.id}`, verb, item }] : [],
        ),
      ),
    )('starts again with the item, unless it is gone: $name', ({ verb, item }) => {
      const again = listUrlsAfter(ending, verb, item.id).filter((url) =>
        url.includes(`#${verb.action.verb}`),
      );
      if (isSoldOrPast(item)) expect(again).toEqual([]);
      else expect(again).toEqual([expect.stringContaining(item.id)]);
    });
  },
);
