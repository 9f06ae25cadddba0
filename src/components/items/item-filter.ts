/* Shows a note when no item matches the chosen filters. The filters themselves need no script. */

for (const list of document.querySelectorAll('.items:has(.item-filter)')) {
  const note = list.querySelector<HTMLElement>('.no-match');
  list.addEventListener('change', () => {
    const isEmpty = ![...list.querySelectorAll('.card')].some((card) => card.checkVisibility());
    if (note) note.textContent = isEmpty ? (note.dataset['text'] ?? '') : '';
  });
}
