/* Prints how well the search answers the questions of questions.txt: `npm run evaluate`. */
import { halves, judge, tableOf } from './evaluation.ts';

const judged = judge();
for (const half of halves) {
  console.log(`\n${half} half`);
  console.table(
    Object.fromEntries(tableOf(judged, half).map(({ kind, ...counts }) => [kind, counts])),
  );
}
if (process.argv.includes('--misses'))
  for (const { kind, half, question, at, answered, first } of judged)
    if (half === 'tuning' && (kind === 'unanswerable' ? answered : at !== 0))
      console.log(`${kind} ${at} ${answered ? 'claimed' : ''} ${question} → ${first.slice(0, 70)}`);
