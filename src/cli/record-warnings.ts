import { statSync } from 'node:fs';
import { findContradictions } from '../registry/contradictions.ts';
import { findCutTexts } from '../registry/cut-texts.ts';
import type { RecordProblem } from '../registry/describe-issue.ts';
import type { Fault } from '../registry/fault.ts';
import { readSources } from '../registry/index.ts';
import { locateProblems } from '../registry/source.ts';
import { findNotOfferedService } from '../search/not-offered.ts';
import type { Network } from '../registry/network.ts';
import type { Subsite } from '../registry/subsite.ts';
import type { Registry } from '../site/registry.ts';

function findSubsiteWarnings(subsite: Subsite, { search, leadTerms }: Network): RecordProblem[] {
  const missing = findNotOfferedService(search.notOffered, subsite.title)?.what;
  return [
    ...(missing === undefined
      ? []
      : [
          {
            path: ['title'],
            problem: `has words that search.notOffered in network.yaml lists under “${missing}”. Remove them there, because the network offers the service.`,
          },
        ]),
    ...findContradictions(subsite, leadTerms.respondWithinHours),
  ];
}

/** Finds text in a registry folder that a number sign probably cuts off. */
export const findCutTextsIn = (folder: string): Fault[] =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readSources(folder).flatMap(findCutTexts)
    : [];

/**
 * Finds likely mistakes in the valid registry in a folder, with their locations, truncated text
 * first.
 */
export function findRecordWarnings(folder: string, { network, subsites }: Registry): Fault[] {
  const sources = readSources(folder);
  const warningsOfSubsites = subsites.flatMap((subsite) => {
    const warnings = findSubsiteWarnings(subsite, network);
    const start = `${folder}/subsites/${subsite.name}.`;
    const source = warnings.length && sources.find(({ file }) => file.startsWith(start));
    return source
      ? locateProblems(source, warnings).sort((one, other) => one.line - other.line)
      : [];
  });
  return [...sources.flatMap(findCutTexts), ...warningsOfSubsites];
}
