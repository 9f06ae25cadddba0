import {
  findServices,
  openServices,
  type ServiceDocument,
  type ServiceEntry,
  type ServiceIndex,
} from '../search/find-services.ts';

/** Most results that are shown; more words narrow them down. */
const MOST = 40;

const form = document.querySelector<HTMLFormElement>('form[data-index]')!;
const input = form.querySelector('input')!;
const results = document.querySelector<HTMLOListElement>('#results')!;
const section = document.querySelector<HTMLElement>('.site-search')!;
const state = document.querySelector('#search-state')!;

let index: Promise<ServiceIndex> | undefined;

const load = () =>
  (index ??= fetch(form.dataset.index!)
    .then((response) => (response.ok ? response.json() : Promise.reject(new Error('no index'))))
    .then((services: ServiceDocument) => openServices(services)));

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
  className = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function entry({ title, text, path, kind, category }: ServiceEntry): HTMLLIElement {
  const item = document.createElement('li');
  item.dataset.category = category;
  const link = element('a', title);
  link.href = path;
  item.append(link, element('span', kind, 'kind-of'), element('p', text));
  return item;
}

/** Keeps the query in the address, so that Back and a shared link lead to its results. */
function remember(query: string): void {
  const url = new URL(location.href);
  if (query) url.searchParams.set('q', query);
  else url.searchParams.delete('q');
  if (url.href !== location.href) history.replaceState(history.state, '', url);
}

/** Typing pauses that long before the address changes; browsers limit how often it may. In ms. */
const PAUSE_MS = 250;
let pause: ReturnType<typeof setTimeout> | undefined;

/** Scrolls the field to the top where its first result would be out of sight, for example behind a keyboard. */
function reveal(): void {
  const first = (results.firstElementChild ?? state).getBoundingClientRect();
  const height = visualViewport?.height ?? innerHeight;
  if (first.bottom > height || first.top < 0)
    section.scrollIntoView({ block: 'start', behavior: 'instant' });
}

const chosen = () =>
  document.querySelector<HTMLInputElement>('.filter input:checked')?.value ?? 'all';

async function show(): Promise<void> {
  const query = input.value.trim();
  document.body.classList.toggle('searching', query !== '');
  if (!query) {
    results.replaceChildren();
    state.textContent = '';
    return;
  }
  try {
    const only = chosen();
    const found = findServices(await load(), query, {
      typing: true,
      keep: ({ category }) => only === 'all' || category === only,
    }).map((result) => result.entry);
    if (query !== input.value.trim()) return;
    results.replaceChildren(...found.slice(0, MOST).map(entry));
    reveal();
    state.textContent =
      found.length === 0
        ? 'Nothing found. Try another word, or clear the field to see everything.'
        : `${found.length === 1 ? 'One result' : `${found.length} results`}${found.length > MOST ? `, the first ${MOST} shown` : ''}`;
  } catch {
    index = undefined;
    state.textContent =
      'The search cannot be loaded at the moment. Clear the field to see everything.';
  }
}

/** Arrow keys walk from the field through the results and back. */
function walk(event: KeyboardEvent): void {
  const stops = [input, ...results.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement as HTMLInputElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (at < 0 || !step || !stops[at + step]) return;
  event.preventDefault();
  stops[at + step]!.focus();
}

function clear(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || !input.value) return;
  event.preventDefault();
  input.value = '';
  input.focus();
  remember('');
  void show();
}

input.addEventListener('focus', () => void load().catch(() => (index = undefined)), { once: true });
input.addEventListener('input', () => {
  void show();
  clearTimeout(pause);
  pause = setTimeout(() => remember(input.value.trim()), PAUSE_MS);
});
results.addEventListener('click', () => remember(input.value.trim()));
visualViewport?.addEventListener('resize', () => results.firstElementChild && reveal());
document.querySelector('.filter')?.addEventListener('change', () => void show());
document.querySelector('.front')?.addEventListener('keydown', (event) => {
  walk(event as KeyboardEvent);
  clear(event as KeyboardEvent);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  remember(input.value.trim());
  void show().then(() => results.querySelector('a')?.focus());
});

const asked = new URLSearchParams(location.search).get('q');
if (asked) input.value = asked;
if (input.value) void show();
if (location.hash === '#search') input.focus();
window.addEventListener('hashchange', () => location.hash === '#search' && input.focus());
