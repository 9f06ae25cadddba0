/* Scores an audit as the user answers it. Nothing is sent or stored. */
import { POINTS_PER_YES, scoreOf } from '../../site/tools/audit.ts';
import { fill } from '../../text/fill.ts';
import { auditTool as text } from '../../text/index.ts';

const tool = document.querySelector<HTMLElement>('[data-audit]')!;
const form = tool.querySelector<HTMLFormElement>('form')!;
const findPart = (selector: string) => form.querySelector<HTMLElement>(selector)!;
const questions = [...form.querySelectorAll<HTMLElement>('fieldset')];
const readAnswers = () =>
  questions.map((question) => question.querySelector<HTMLInputElement>('input:checked')?.value);

function show(): void {
  const chosenAnswers = readAnswers();
  const answeredCount = chosenAnswers.filter(Boolean).length;
  const yesCount = chosenAnswers.filter((answer) => answer === 'yes').length;
  const score = scoreOf(yesCount);
  const isComplete = answeredCount === questions.length;
  for (const figure of form.querySelectorAll<HTMLElement>('[data-figure]'))
    figure.hidden = answeredCount === 0;
  findPart('[data-score]').textContent = String(score);
  form.querySelector('meter')!.value = score;
  findPart('[data-sum]').textContent = isComplete
    ? fill(text.result, { points: POINTS_PER_YES, count: yesCount, score })
    : fill(text.answered, { answered: answeredCount, most: questions.length });
  for (const interpretation of form.querySelectorAll<HTMLElement>('.reading'))
    interpretation.hidden =
      !isComplete ||
      score < Number(interpretation.dataset['from']) ||
      score > Number(interpretation.dataset['to']);
  const gaps = questions
    .filter((_, index) => chosenAnswers[index] === 'no')
    .map((question) => question.querySelector('[data-question]')!.textContent.trim());
  findPart('[data-gaps]').hidden = !isComplete || !gaps.length;
  findPart('[data-gaps] ol').replaceChildren(
    ...gaps.map((gap) => Object.assign(document.createElement('li'), { textContent: gap })),
  );
}

form.addEventListener('change', show);
form.addEventListener('reset', () => setTimeout(show));
form.addEventListener('submit', (event) => event.preventDefault());
tool.querySelector<HTMLElement>('[data-without-script]')!.hidden = true;
form.hidden = false;
show();
