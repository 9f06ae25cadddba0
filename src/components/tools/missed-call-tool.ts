/* Recalculates whenever a number changes. Nothing is sent or stored. */
import { addNonBreakingSpaces } from '../../site/words/non-breaking-spaces.ts';
import { fill } from '../../text/fill.ts';
import { missedCallCalculator as text } from '../../text/index.ts';
import {
  type MissedCallAnswers,
  computeMissedCallCost,
  missedCallInputs,
  formatResult,
} from './missed-calls.ts';

function run(tool: HTMLElement): void {
  const form = tool.querySelector<HTMLFormElement>('form')!;
  const fault = form.querySelector<HTMLElement>('[data-fault]')!;
  const findInput = (name: string) => form.elements.namedItem(name) as HTMLInputElement;

  function show(): void {
    const invalidInputs = missedCallInputs.filter(({ name }) => !findInput(name).validity.valid);
    for (const { name } of missedCallInputs) findInput(name).toggleAttribute('aria-invalid', false);
    for (const { name } of invalidInputs) findInput(name).setAttribute('aria-invalid', 'true');
    fault.textContent = invalidInputs
      .map(({ label, most }) => fill(text.fault, { label, most: most.toLocaleString('en-US') }))
      .join(' ');
    if (invalidInputs.length) return;
    const answers = Object.fromEntries(
      missedCallInputs.map(({ name }) => [name, findInput(name).valueAsNumber]),
    ) as MissedCallAnswers;
    const steps = computeMissedCallCost(answers);
    tool.querySelector('[data-year]')!.textContent = formatResult(steps.at(-1)!);
    for (const [index, row] of [...tool.querySelectorAll('[data-steps] tr')].entries()) {
      row.children[1]!.textContent = addNonBreakingSpaces(steps[index]!.sum);
      row.children[2]!.textContent = formatResult(steps[index]!);
    }
  }

  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => event.preventDefault());
  tool.querySelector<HTMLElement>('[data-without-script]')!.hidden = true;
  form.hidden = false;
  show();
}

for (const tool of document.querySelectorAll<HTMLElement>('[data-missed-calls]')) run(tool);
