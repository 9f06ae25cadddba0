// Measures the CPU time for building the search index and for questions of different lengths.
import { loadRegistry } from '../../src/registry/index.ts';
import { prepareKnowledge, searchKnowledge } from '../../src/search/knowledge.ts';

const ROUNDS = 50;

const registry = loadRegistry('registry');
const site = { registry, base: 'https://example.test' };

globalThis.gc?.();
const heapBefore = process.memoryUsage().heapUsed;
const usageBefore = process.cpuUsage();
await prepareKnowledge(site);
const buildMs = process.cpuUsage(usageBefore).user / 1000;
globalThis.gc?.();
const heapMegabytes = (process.memoryUsage().heapUsed - heapBefore) / 2 ** 20;
const { passages } = searchKnowledge(site, { question: '', limit: Infinity });
console.log(
  `index of ${passages.length} passages: ${buildMs.toFixed(0)} ms, ${heapMegabytes.toFixed(1)} MB of heap`,
);

const text = passages.map((passage) => passage.text).join(' ');
const questions = {
  short: 'What does a trailer cost for a day?',
  '4,000 characters': text.slice(0, 4000),
  '4,000 characters, all misspelled': text.replaceAll(/\p{L}{3}/gu, '$&q').slice(0, 4000),
};
for (const [name, question] of Object.entries(questions)) {
  const times = Array.from({ length: ROUNDS }, () => {
    const cpuBefore = process.cpuUsage();
    searchKnowledge(site, { question });
    return process.cpuUsage(cpuBefore).user / 1000;
  }).sort((a, b) => a - b);
  console.log(
    `${name}: median ${times[ROUNDS / 2]!.toFixed(2)} ms, slowest ${times.at(-1)!.toFixed(2)} ms`,
  );
}
