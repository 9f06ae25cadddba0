import { type Arena, isRequestablePath } from '../../server/arena.ts';
import { listBehaviorChecks } from './behaviors.ts';
import { probeEntry } from './entry.ts';

export interface ProbeFault {
  path: string;
  problem: string;
}

/**
 * Checks a deployment against a build; `base` is the origin. Never rejects; a URL that does not
 * respond is a fault.
 */
export async function probe(
  arena: Arena,
  base: string,
  { concurrency }: { concurrency: number },
): Promise<{ checked: number; faults: ProbeFault[] }> {
  const faults: ProbeFault[] = [];
  const entries = [...arena.paths()].filter(isRequestablePath);
  const checks = [
    ...entries.map((path) => ({
      path,
      check: () => probeEntry(arena.get(path)!, base, arena.index.generatedAt),
    })),
    ...listBehaviorChecks(arena).map(({ path, check }) => ({
      path,
      check: async () => [await check(base)].filter((problem) => problem !== undefined),
    })),
  ];
  if (base !== arena.index.base)
    faults.push({
      path: '/',
      problem: `absolute links begin with ${arena.index.base}, which is not the probed origin. Build with SITE_URL=${base}.`,
    });
  let nextIndex = 0;
  const problemsByIndex = new Map<number, string[]>();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let index = nextIndex++; index < checks.length; index = nextIndex++) {
        problemsByIndex.set(
          index,
          await checks[index]!.check().catch(() => [
            'does not respond. Check the URL and whether the deployment is running.',
          ]),
        );
      }
    }),
  );
  checks.forEach(({ path }, index) =>
    faults.push(...problemsByIndex.get(index)!.map((problem) => ({ path, problem }))),
  );
  return { checked: checks.length, faults };
}
