import type { ServiceDocument, ServiceEntry } from '../../search/find-services.ts';
import { fill, fillPlural } from '../../text/fill.ts';
import { search as text } from '../../text/index.ts';
import type { SearchEngine } from './search-engine.ts';

/** Number of results shown as the user types; a button shows the rest. */
const INITIAL_RESULT_COUNT = 20;

const form = document.querySelector<HTMLFormElement>('form[data-index]')!;
const input = form.querySelector('input')!;
const results = document.querySelector<HTMLOListElement>('#results')!;
const section = document.querySelector<HTMLElement>('.site-search')!;
const panel = section.querySelector<HTMLElement>('.search-panel')!;
const state = document.querySelector('#search-state')!;
const person = document.querySelector<HTMLElement>('.ask-person')!;
const charts = document.querySelectorAll<SVGElement>('.chart');
const services = document.querySelector<HTMLElement>('#services');
const showAllButton = document.querySelector<HTMLButtonElement>('.all-results')!;

let search: Promise<SearchEngine> | undefined;

const loadDocument = async (): Promise<ServiceDocument> => {
  const response = await fetch(form.dataset.index!);
  if (!response.ok) throw new Error('no index');
  return (await response.json()) as ServiceDocument;
};

const load = () =>
  (search ??= Promise.all([import('./search-engine.ts'), loadDocument()]).then(
    ([{ createSearchEngine }, document]) => createSearchEngine(document),
  ));

/** Shows results, with a button for the rest. */
function list(found: readonly ServiceEntry[], { render }: SearchEngine): void {
  const show = (shownServices: readonly ServiceEntry[]) => {
    results.innerHTML = render(shownServices);
    showAllButton.hidden = shownServices.length === found.length;
  };
  show(found.slice(0, INITIAL_RESULT_COUNT));
  showAllButton.textContent = fillPlural(text.showAll, found.length);
  showAllButton.onclick = () => {
    show(found);
    results.children[INITIAL_RESULT_COUNT]?.querySelector('a')?.focus();
  };
}

let queryInTitle = new URLSearchParams(location.search).get('q') ?? '';

/** Updates the query in the page title if the title contains one. */
function updateTitle(query: string): void {
  if (!query || !queryInTitle) return;
  const [before, after] = [queryInTitle, query].map((one) => fill(text.resultsFor, { query: one }));
  document.title = document.title.replace(before!, () => after!);
  queryInTitle = query;
}

/**
 * Stores the query in the URL and in the title so that the Back button and a shared link lead to
 * its results.
 */
function saveQuery(query: string): void {
  updateTitle(query);
  const url = new URL(location.href);
  if (query) url.searchParams.set('q', query);
  else url.searchParams.delete('q');
  if (url.href !== location.href) history.replaceState(history.state, '', url);
}

/** Pause in typing before the URL changes, in ms, because browsers limit the number of changes. */
const PAUSE_MS = 250;
let saveTimer: ReturnType<typeof setTimeout> | undefined;

/** Space for the first result below the field, in px at the default text size. */
const MIN_RESULT_SPACE_PX = 432;

/**
 * Scrolls the field to the top if there is too little space below it, for example, above a
 * keyboard. Does not depend on the results, so that the field stays in place while someone types.
 */
function makeRoom(): void {
  const height = visualViewport?.height ?? innerHeight;
  if (height - input.getBoundingClientRect().bottom < MIN_RESULT_SPACE_PX)
    section.scrollIntoView({ block: 'start', behavior: 'instant' });
}

/**
 * Makes the list of services, which the results cover, as tall as the results. If there are only a
 * few results, what follows the list stays off the screen, so that nothing visible moves.
 */
function fitPage(): void {
  if (!services) return;
  const end = Math.max(panel.getBoundingClientRect().bottom, innerHeight);
  const height = Math.max(0, end - services.getBoundingClientRect().top);
  services.style.setProperty('--covered-height', `${height}px`);
}

/**
 * Highlights matching subsites on the chart and fades the others; without a query, all of them look
 * the same.
 */
function highlight(found: readonly ServiceEntry[] | undefined): void {
  const highlightedSubsites = new Set(found?.map(({ subsite }) => subsite));
  for (const chart of charts) {
    chart.classList.toggle('answering', found !== undefined);
    for (const name of chart.querySelectorAll<SVGAElement>('a'))
      name.classList.toggle('lit', highlightedSubsites.has(name.dataset['subsite']!));
  }
}

const readSelectedCategory = () =>
  document.querySelector<HTMLInputElement>('.filter input:checked')?.value ?? 'all';

async function updateResults(): Promise<void> {
  const query = input.value.trim();
  const isOpening = panel.hidden && query !== '';
  panel.hidden = person.hidden = query === '';
  if (isOpening) makeRoom();
  if (!query) {
    results.replaceChildren();
    showAllButton.hidden = true;
    state.textContent = '';
    highlight(undefined);
    return;
  }
  try {
    const selectedCategory = readSelectedCategory();
    const loadedSearch = await load();
    const findings = loadedSearch.find(
      query,
      ({ category }) => selectedCategory === 'all' || category === selectedCategory,
    );
    if (query !== input.value.trim()) return;
    const { found, notOffered } = findings;
    list(found, loadedSearch);
    highlight(found);
    (notOffered === undefined ? showAllButton : state).after(person);
    state.textContent = loadedSearch.describeResultCount(findings);
    fitPage();
  } catch {
    search = undefined;
    highlight(undefined);
    state.textContent = text.failed;
  }
}

/** Lets the arrow keys move from the field through the results and back. */
function moveFocus(event: KeyboardEvent): void {
  const focusTargets: HTMLElement[] = [input, ...results.querySelectorAll<HTMLElement>('.found')];
  const position = focusTargets.findIndex((stop) => stop === document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (position < 0 || !step || !focusTargets[position + step]) return;
  event.preventDefault();
  focusTargets[position + step]!.focus();
}

function clearOnEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || !input.value) return;
  event.preventDefault();
  input.value = '';
  input.focus();
  saveQuery('');
  void updateResults();
}

input.addEventListener('focus', () => void load().catch(() => (search = undefined)), {
  once: true,
});
input.addEventListener('input', () => {
  void updateResults();
  clearTimeout(saveTimer);
  saveTimer = setTimeout(() => saveQuery(input.value.trim()), PAUSE_MS);
});
results.addEventListener('click', () => saveQuery(input.value.trim()));
new ResizeObserver(fitPage).observe(panel);
input.addEventListener('click', makeRoom);
visualViewport?.addEventListener('resize', () => document.activeElement === input && makeRoom());
document.querySelector('.filter')?.addEventListener('change', () => void updateResults());
document.querySelector<HTMLElement>('.front')?.addEventListener('keydown', (event) => {
  moveFocus(event);
  clearOnEscape(event);
});
form.addEventListener('submit', (event) => {
  const query = input.value.trim();
  saveQuery(query);
  // The server’s page with the results, which a static build does not have.
  if (query && section.dataset['served'] !== undefined) return;
  event.preventDefault();
  void updateResults().then(() => results.querySelector('a')?.focus());
});

const initialQuery = new URLSearchParams(location.search).get('q');
if (initialQuery) input.value = initialQuery;
// The server’s page already shows the results.
if (input.value && panel.hidden) void updateResults();
