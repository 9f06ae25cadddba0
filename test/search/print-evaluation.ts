// Prints how well the search answers the questions of both sets: `npm run evaluate`.
import { judgeQuestions, sets, buildTable } from './evaluation.ts';

for (const set of sets) {
  const judgedQuestions = judgeQuestions(set);
  console.log(`\n${set}.txt`);
  console.table(
    Object.fromEntries(buildTable(judgedQuestions).map(({ kind, ...counts }) => [kind, counts])),
  );
  if (set === 'questions' && process.argv.includes('--misses'))
    for (const { kind, question, rank, isAnswered, first } of judgedQuestions)
      if (kind === 'unanswerable' ? isAnswered : rank !== 0)
        console.log(
          `${kind} ${rank} ${isAnswered ? 'claimed' : ''} ${question} → ${first.slice(0, 90)}`,
        );
}
