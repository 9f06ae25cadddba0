/* Prints how well the search answers the questions of questions.txt: `npm run evaluate`. */
import { judge, presentSets, tableOf } from './evaluation.ts';

for (const set of presentSets) {
  const judged = judge(set);
  console.log(`\n${set}.txt`);
  console.table(Object.fromEntries(tableOf(judged).map(({ kind, ...counts }) => [kind, counts])));
  if (set === 'questions' && process.argv.includes('--misses'))
    for (const { kind, question, at, answered, first } of judged)
      if (kind === 'unanswerable' ? answered : at !== 0)
        console.log(
          `${kind} ${at} ${answered ? 'claimed' : ''} ${question} → ${first.slice(0, 90)}`,
        );
}
