/* Filters the catalog while a person types: every word must occur in an entry. */
function run(catalog: HTMLElement): void {
  const form = catalog.querySelector<HTMLFormElement>('form')!;
  const input = form.querySelector<HTMLInputElement>('input')!;
  const count = form.querySelector<HTMLElement>('[data-count]')!;
  const groups = [...catalog.querySelectorAll<HTMLElement>('[data-group]')].map((group) => ({
    group,
    entries: [...group.querySelectorAll<HTMLElement>('[data-words]')],
  }));

  function show(): void {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { group, entries } of groups) {
      let inGroup = 0;
      for (const entry of entries) {
        entry.hidden = !words.every((word) => entry.dataset['words']!.includes(word));
        if (!entry.hidden) inGroup++;
      }
      group.hidden = inGroup === 0;
      found += inGroup;
    }
    count.textContent = words.length
      ? `${found || 'No'} ${found === 1 ? 'capability' : 'capabilities'} found`
      : '';
  }

  form.addEventListener('submit', (event) => event.preventDefault());
  input.addEventListener('input', show);
  form.hidden = false;
  show();
}

for (const catalog of document.querySelectorAll<HTMLElement>('[data-catalog]')) run(catalog);
