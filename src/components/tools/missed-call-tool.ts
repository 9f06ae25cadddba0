/* Recalculates whenever a number changes, once all are entered. Nothing is sent or stored. */
import { addNonBreakingSpaces } from '../../site/words/non-breaking-spaces.ts';
import { fill } from '../../text/fill.ts';
import { missedCallCalculator as text } from '../../text/index.ts';
import {
  type MissedCallAnswers,
  computeMissedCallCost,
  missedCallInputs,
  formatResult,
} from './missed-calls.ts';
import { locale } from '../../language.ts';

const tool = document.querySelector<HTMLElement>('[data-missed-calls]')!;
const form = tool.querySelector<HTMLFormElement>('form')!;
const findPart = (selector: string) => tool.querySelector<HTMLElement>(selector)!;
const fault = findPart('[data-fault]');
const findInput = (name: string) => form.elements.namedItem(name) as HTMLInputElement;

function show(): void {
  // A number that the browser cannot read also counts as missing.
  const isMissing = ({ validity }: HTMLInputElement) => validity.valueMissing && !validity.badInput;
  const invalidInputs = missedCallInputs.filter(
    ({ name }) => !findInput(name).validity.valid && !isMissing(findInput(name)),
  );
  for (const { name } of missedCallInputs) findInput(name).toggleAttribute('aria-invalid', false);
  for (const { name } of invalidInputs) findInput(name).setAttribute('aria-invalid', 'true');
  fault.textContent = invalidInputs
    .map(({ label, most }) => fill(text.fault, { label, most: most.toLocaleString(locale) }))
    .join(' ');
  const isComplete = form.checkValidity();
  findPart('[data-result]').hidden = !isComplete;
  findPart('[data-incomplete]').hidden = !missedCallInputs.some(({ name }) =>
    isMissing(findInput(name)),
  );
  if (!isComplete) return;
  const answers = Object.fromEntries(
    missedCallInputs.map(({ name }) => [name, findInput(name).valueAsNumber]),
  ) as MissedCallAnswers;
  const steps = computeMissedCallCost(answers);
  findPart('[data-year]').textContent = formatResult(steps.at(-1)!);
  for (const [index, row] of [...tool.querySelectorAll('[data-steps] tr')].entries()) {
    row.children[1]!.textContent = addNonBreakingSpaces(steps[index]!.sum);
    row.children[2]!.textContent = formatResult(steps[index]!);
  }
}

form.addEventListener('input', show);
form.addEventListener('submit', (event) => event.preventDefault());
findPart('[data-without-script]').hidden = true;
form.hidden = false;
show();
