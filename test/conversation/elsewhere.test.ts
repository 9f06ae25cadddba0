import { describe, expect, it } from 'vitest';
import { listOtherServices } from '../../src/site/other-services.ts';
import { listAlternatives } from '../../src/site/registry.ts';
import { verbsOf } from '../operations/setup/verbs.ts';
import { site } from './leads-in-states.ts';

const { registry } = site;
const verbs = verbsOf(site);
const pathsFor = ({ subsite, action }: (typeof verbs)[number], item?: { id: string }) =>
  listOtherServices(registry, subsite, action, item).map(({ url }) => url);

describe('a person whose request has ended', () => {
  it('is first offered the services named in the record', () => {
    const verb = verbs.find(({ subsite }) => listAlternatives(registry, subsite).length > 0)!;
    expect(pathsFor(verb)).toEqual(listAlternatives(registry, verb.subsite).map(({ url }) => url));
  });

  it('is otherwise offered a search for what they needed', () => {
    const verb = verbs.find(
      ({ subsite, action }) => !action.effect && listAlternatives(registry, subsite).length === 0,
    )!;
    const [path, ...more] = pathsFor(verb);
    expect(more).toEqual([]);
    expect(new URL(path!, 'https://network.example').searchParams.get('q')).toBe(
      verb.subsite.purpose,
    );
  });

  it('is offered the free days for a rental', () => {
    const verb = verbs.find(({ action }) => action.effect?.kind === 'hold')!;
    const { name } = verb.subsite;
    expect(pathsFor(verb, { id: 'large' })[0]).toBe(`/free-days/${name}/large`);
    expect(pathsFor(verb)[0]).toMatch(new RegExp(`^/free-days/${name}/.`));
  });
});
