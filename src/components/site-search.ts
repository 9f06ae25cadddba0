import { findNeed, type NeedIndex } from '../search/find-need.ts';
import { openServices, type ServiceDocument, type ServiceEntry } from '../search/find-services.ts';
import { openState } from '../site/opening-hours.ts';
import { dialLink } from '../site/phone.ts';
import { quantityOf } from '../site/quantity.ts';

/** Results that are shown at once while a person types; a button shows the others. */
const AT_ONCE = 20;

const form = document.querySelector<HTMLFormElement>('form[data-index]')!;
const input = form.querySelector('input')!;
const results = document.querySelector<HTMLOListElement>('#results')!;
const section = document.querySelector<HTMLElement>('.site-search')!;
const state = document.querySelector('#search-state')!;
const person = document.querySelector<HTMLElement>('.ask-person')!;
const others = document.querySelector<HTMLButtonElement>('.all-results')!;

/** The index, with what its document says beside it. */
type Loaded = NeedIndex & Pick<ServiceDocument, 'timeZone'>;

let index: Promise<Loaded> | undefined;

const load = () =>
  (index ??= fetch(form.dataset.index!)
    .then((response) => (response.ok ? response.json() : Promise.reject(new Error('no index'))))
    .then((document: ServiceDocument) => ({
      ...openServices(document),
      timeZone: document.timeZone,
    })));

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

const linkTo = (text: string, href: string, className = '') =>
  Object.assign(element('a', text, className), { href });

/** A line of what is known; nothing where nothing is. */
function facts({ price, area, hours }: ServiceEntry, timeZone: string): HTMLElement[] {
  const open = hours && openState(hours, timeZone, new Date()).text;
  const known = [
    ...(price ? [element('strong', price)] : []),
    ...[area, open].flatMap((text) => (text ? [element('span', text)] : [])),
  ];
  const line = element('p', '', 'facts-line');
  line.append(...known);
  return known.length ? [line] : [];
}

/** The forms of a service, and its telephone; nothing where it has neither. */
function ways({ title, requests = [], phone }: ServiceEntry): HTMLElement[] {
  const call = phone && linkTo(`Call ${phone}`, dialLink(phone));
  if (call) call.setAttribute('aria-label', `Call ${title}, ${phone}`);
  const links = [
    ...requests.map((request) => linkTo(request.title, request.path)),
    ...(call ? [call] : []),
  ];
  const line = element('p', '', 'ways');
  line.append(...links);
  return links.length ? [line] : [];
}

function entry(found: ServiceEntry, timeZone: string): HTMLLIElement {
  const { title, text, path, kind, category } = found;
  const item = document.createElement('li');
  item.dataset['category'] = category;
  item.append(
    linkTo(title, path, 'found'),
    element('span', kind, 'kind-of'),
    element('p', text),
    ...facts(found, timeZone),
    ...ways(found),
  );
  return item;
}

/** What was found, in words. */
function summary(count: number, notOffered: string | undefined): string {
  if (notOffered !== undefined) return `${notOffered}${count ? ' What comes closest:' : ''}`;
  return quantityOf(count, 'result');
}

/** Shows results, with a button for those that are not shown at once. */
function list(found: readonly ServiceEntry[], { timeZone }: Loaded): void {
  const made = found.map((result) => entry(result, timeZone));
  const [first, rest] = [made.slice(0, AT_ONCE), made.slice(AT_ONCE)];
  results.replaceChildren(...first);
  others.hidden = rest.length === 0;
  others.textContent = `Show all ${quantityOf(made.length, 'result')}`;
  others.onclick = () => {
    results.append(...rest);
    others.hidden = true;
    rest[0]?.querySelector('a')?.focus();
  };
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
  person.hidden = query === '';
  if (!query) {
    results.replaceChildren();
    others.hidden = true;
    state.textContent = '';
    return;
  }
  try {
    const only = chosen();
    const loaded = await load();
    const { found, notOffered } = findNeed(loaded, query, {
      typing: true,
      keep: ({ category }) => only === 'all' || category === only,
    });
    if (query !== input.value.trim()) return;
    list(found, loaded);
    (notOffered === undefined ? others : state).after(person);
    state.textContent = summary(found.length, notOffered);
    reveal();
  } catch {
    index = undefined;
    state.textContent =
      'The search cannot be loaded at the moment. Clear the field to see everything.';
  }
}

/** Arrow keys walk from the field through the results and back. */
function walk(event: KeyboardEvent): void {
  const stops: HTMLElement[] = [input, ...results.querySelectorAll<HTMLElement>('.found')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
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
