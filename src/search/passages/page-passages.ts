import { capabilityPath } from '../../site/capability-record.ts';
import type { Page } from '../../registry/schemas/network.ts';
import { recordOfPage, type Registry } from '../../site/registry.ts';
import { findSubsiteAbove } from '../../site/subsite-above.ts';
import { formatRetention } from '../../site/words/record-words.ts';
import { formatHourCount } from '../../site/words/words.ts';
import {
  selectSectionPhrases,
  titleAndPathOf,
  joinPieces,
  parseSections,
} from './markdown-sections.ts';
import { type Source, SUMMARY_WEIGHT } from './passage.ts';
import { mapInSteps, type Steps } from '../steps.ts';

/** A Markdown page: what it is about, and its parts. */
function createPagePassages(page: Page, registry: Registry): Source[] {
  const asked = registry.asked[recordOfPage(page)] ?? {};
  const parentSubsite = findSubsiteAbove(registry, page.path);
  const shared = { kind: 'page' as const, ...(parentSubsite && { subsite: parentSubsite.name }) };
  return [
    {
      ...shared,
      title: page.title,
      text: page.description,
      path: page.path,
      weight: SUMMARY_WEIGHT,
    },
    ...parseSections(page.body).map((section) => ({
      ...shared,
      ...titleAndPathOf(section, page),
      text: section.text,
      asked: selectSectionPhrases(section, asked),
      ...(section.heading === undefined && { weight: SUMMARY_WEIGHT }),
    })),
  ];
}

/** Who runs the network, how to reach them, and the terms of every request. */
function listNetworkSources({ network }: Registry): Source[] {
  const { name, description, organization, leadNotice, leadTerms } = network;
  const fact = (text: string, asked: string[] = []): Source => ({
    kind: 'fact',
    title: name,
    text,
    path: '/',
    asked,
  });
  return [
    { ...fact(description), weight: SUMMARY_WEIGHT },
    fact(
      `${organization.name}, ${organization.locality}, ${organization.region}, runs ${name}. Call ${organization.phone} or write to ${organization.email}.`,
      [`who owns ${name}`, `who runs ${name}`, 'which company is behind this site', 'who are you'],
    ),
    fact(
      `${leadNotice} Unless a service says otherwise, a request is answered within ${formatHourCount(leadTerms.respondWithinHours)} and erased ${formatRetention(leadTerms)}.`,
    ),
  ];
}

/**
 * Include only capabilities of the network as a whole, because subsite capabilities repeat what the
 * subsites publish.
 */
const createCapabilityPassages = (registry: Registry): Source[] =>
  registry.capabilities.flatMap(({ id, title, description, pricing, limitations }) =>
    joinPieces([description, pricing.description, ...limitations]).map((text) => ({
      kind: 'page',
      title,
      text,
      path: capabilityPath(registry, id),
    })),
  );

/**
 * Passages that belong to no single subsite: Markdown pages, the operator, and network
 * capabilities.
 */
export function* createNetworkPassages(registry: Registry): Steps<Source[]> {
  const pages = yield* mapInSteps(registry.pages, (page) => createPagePassages(page, registry));
  return [...listNetworkSources(registry), ...pages.flat(), ...createCapabilityPassages(registry)];
}
