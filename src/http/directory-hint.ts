import { searchKnowledge } from '../search/knowledge.ts';
import { memoize } from '../site/memoize.ts';
import type { Site } from '../site/site.ts';

const MAX_SAMPLES = 3;

/** Entry points for a question that matches no subsite. */
export interface DirectoryHint {
  about: string;
  /** Absolute URL of the index of subsites. */
  index: string;
  /** Absolute URL of the documentation for agents. */
  services: string;
  /** Example questions with published answers, from several subsites. */
  samples: string[];
}

/** Answerable questions from several subsites, computed once per site. */
const listAnsweredQuestions = memoize((site: Pick<Site, 'registry' | 'base'>): string[] => {
  const questions = site.registry.subsites
    .filter(({ status }) => status === 'public')
    .flatMap(({ questions: subsiteQuestions = [] }) => subsiteQuestions);
  const step = Math.max(1, Math.floor(questions.length / MAX_SAMPLES));
  const samples: string[] = [];
  for (let start = 0; start < step && samples.length < MAX_SAMPLES; start++)
    for (
      let index = start;
      index < questions.length && samples.length < MAX_SAMPLES;
      index += step
    ) {
      const question = questions[index] ?? '';
      if (searchKnowledge(site, { question }).answered) samples.push(question);
    }
  return samples;
});

/** Entry points to the network: the index, the documentation for agents, and example questions. */
export function createDirectoryHint(site: Pick<Site, 'registry' | 'base'>): DirectoryHint {
  const { base } = site;
  const { network } = site.registry;
  return {
    about: network.description,
    index: `${base}/api/agent-index`,
    services: `${base}${network.agentArea}`,
    samples: listAnsweredQuestions(site),
  };
}
