import type { Site } from '../registry/index.ts';

/** Questions that are given as samples. */
const MOST_SAMPLES = 3;

/** Where to turn with a question that points to no subsite. */
export interface DirectoryHint {
  /** What the network is. */
  about: string;
  /** Absolute URL of the index of subsites. */
  index: string;
  /** Absolute URL of the page that says how agents use the network. */
  services: string;
  /** Questions that what is published answers, of subsites all over the network. */
  samples: string[];
}

/** The way from nowhere into the network: its index, its page for agents and a few questions that it answers. */
export function directoryHint({ registry, base }: Pick<Site, 'registry' | 'base'>): DirectoryHint {
  const { network, subsites } = registry;
  const questions = subsites.filter(({ status }) => status === 'public').flatMap(({ questions: asked = [] }) => asked.slice(0, 1));
  const step = Math.max(1, Math.floor(questions.length / MOST_SAMPLES));
  const samples = questions.filter((_, index) => index % step === 0).slice(0, MOST_SAMPLES);
  return { about: network.description, index: `${base}/api/agent-index`, services: `${base}${network.agentArea}`, samples };
}
