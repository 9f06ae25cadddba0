import { describe, expect, it } from 'vitest';
import { listOtherServices } from '../../src/site/other-services.ts';
import { listAlternatives } from '../../src/site/registry.ts';
import { verbsOf } from '../operations/setup/verbs.ts';
import { site } from './leads-in-states.ts';

const { registry } = site;
const verbs = verbsOf(site);
const pathsFor = ({ subsite, action }: (typeof verbs)[number], item?: { id: string }) =>
  listOtherServices(registry, subsite, action, item).map((way) =>
    way.label === 'nobodyElse' ? way.phone : way.url,
  );

describe('a person whose request has ended', () => {
  it('is first offered the services named in the record', () => {
    const verb = verbs.find(({ subsite }) => listAlternatives(registry, subsite).length > 0)!;
    expect(pathsFor(verb)).toEqual(listAlternatives(registry, verb.subsite).map(({ url }) => url));
  });

  it.each(verbs)('is never sent back to the same service, or to nobody: $label', (verb) => {
    const isRental = verb.action.effect?.kind === 'hold';
    const ways = listOtherServices(registry, verb.subsite, verb.action, undefined);
    expect(ways.length > 0).toBe(isRental || verb.action.purpose !== 'question');
    for (const way of ways) {
      if (way.label === 'nobodyElse') expect(way.phone).toBe(registry.network.organization.phone);
      else if (way.label === 'elsewhere') expect(way.service).not.toBe(verb.subsite.title);
      // Other days of the same rental are a different request.
      else expect(isRental).toBe(true);
      // A search for what the service does finds the service itself.
      expect(way).not.toHaveProperty('url', expect.stringContaining('/find'));
    }
  });

  it('is offered the free days for a rental', () => {
    const verb = verbs.find(({ action }) => action.effect?.kind === 'hold')!;
    const { name } = verb.subsite;
    expect(pathsFor(verb, { id: 'large' })[0]).toBe(`/free-days/${name}/large`);
    expect(pathsFor(verb)[0]).toMatch(new RegExp(`^/free-days/${name}/.`));
  });
});
