import { fillPlural } from '../../text/fill.ts';
import { capabilityCatalog as texts } from '../../text/index.ts';

/* Filters the catalog as the user types: every word must occur in a service's capabilities. */
const catalog = document.querySelector<HTMLElement>('[data-catalog]')!;
const form = catalog.querySelector<HTMLFormElement>('form')!;
const input = form.querySelector<HTMLInputElement>('input')!;
const count = form.querySelector<HTMLElement>('[data-count]')!;
const services = [...catalog.querySelectorAll<HTMLElement>('[data-words]')];

function show(): void {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const service of services)
    service.hidden = !words.every((word) => service.dataset['words']!.includes(word));
  const found = services.filter(({ hidden }) => !hidden).length;
  count.textContent = !words.length ? '' : found ? fillPlural(texts.found, found) : texts.none;
}

form.addEventListener('submit', (event) => event.preventDefault());
input.addEventListener('input', show);
form.hidden = false;
show();
