import { describe, expect, it } from 'vitest';
import { loadRegistry } from '../../src/registry/index.ts';
import { findNeed } from '../../src/search/find-need.ts';
import { findNotOfferedService } from '../../src/search/not-offered.ts';
import { createServiceIndex } from '../../src/search/services.ts';

const { network, subsites } = loadRegistry('registry');
const { notOffered } = network.search;

describe('what a network does not offer', () => {
  it.each([
    ['I need a plumber tonight', 'plumbing'],
    ['electricians near me', 'electrical work'],
    ['who repairs a leaking roof', 'roofing'],
    ['U-Haul', 'car or moving-truck rentals'],
    ['rent a car', 'car or moving-truck rentals'],
    ['rent me a car', 'car or moving-truck rentals'],
    ['Do you rent cars?', 'car or moving-truck rentals'],
    ['roof repair', 'roofing'],
    ['Can you repair my roof?', 'roofing'],
    ['can you fix my roof', 'roofing'],
    ['Could you paint our house', 'painting'],
    ['nail salon', 'nail or hair care'],
    ['clean my house', 'house cleaning'],
    ['someone to clean my house weekly', 'house cleaning'],
    ['someone to clean my house', 'house cleaning'],
    ['house cleaner', 'house cleaning'],
    ['I need a weekly house cleaner', 'house cleaning'],
    ['flat tire', 'tires or roadside help'],
    ['my washer is broken', 'repairs of appliances that you own'],
    ['dryer repair in Largo', 'repairs of appliances that you own'],
  ])('is recognized in “%s”', (query, what) =>
    expect(findNotOfferedService(notOffered, query)?.what).toBe(what),
  );

  it.each([
    '',
    'pipe',
    'trailer for saturday',
    'AC broken at night',
    'repair my rented washer',
    'sell grandmother’s furniture',
    'house clean-out',
    'clean out my house',
    'the trailer has a flat tire',
    'web page for my dog walking business',
    'website for my plumbing company',
    'how do I start a business as a plumber',
  ])('is not recognized in “%s”', (query) =>
    expect(findNotOfferedService(notOffered, query)).toBeUndefined(),
  );

  it('leads people with an idea for a business, in two words, to the service that helps to start it', () => {
    const registry = loadRegistry('registry');
    const { instead } = findNotOfferedService(notOffered, 'nail salon')!;
    const [service] = registry.subsites.filter(({ actions }) =>
      actions.some(({ effect }) => effect?.kind === 'storefront'),
    );
    expect(instead).toEqual([service!.name]);
  });

  it('is overridden by a service with the same words in its title', () => {
    const registry = loadRegistry('registry');
    const [first] = registry.subsites;
    const gutters = { ...first!, name: 'gutter-cleaning', title: 'Gutter cleaning', keywords: [] };
    const registryWithGutters = {
      ...registry,
      network: {
        ...network,
        search: {
          ...network.search,
          notOffered: [{ what: 'roofing', words: ['roofer', 'gutters', 'gutter'] }],
        },
      },
    };
    const ask = (query: string, more: typeof subsites) =>
      findNeed(
        createServiceIndex({ ...registryWithGutters, subsites: [...subsites, ...more] }),
        query,
      ).notOffered;
    expect(ask('gutter cleaning', [])).toBe('We don’t do roofing.');
    expect(ask('gutter cleaning', [gutters])).toBeUndefined();
    expect(ask('a roofer', [gutters])).toBe('We don’t do roofing.');
  });

  it('never matches a title, keyword, or question of a subsite', () => {
    const offered = subsites.flatMap(({ title, keywords = [], questions = [] }) => [
      title,
      ...keywords,
      ...questions,
    ]);
    expect(offered.filter((words) => findNotOfferedService(notOffered, words))).toEqual([]);
  });
});
