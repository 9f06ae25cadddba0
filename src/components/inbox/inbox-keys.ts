import { findClosestElement } from '../event-target.ts';

/*
 * Keyboard shortcuts for the inbox. They only move focus to links and fields that can also be
 * reached in other ways, and work only if no field has focus. Speech-input users can turn them
 * off (WCAG 2.2, 2.1.4).
 */

const STORAGE_KEY = 'inbox-keys';
const help = document.querySelector<HTMLDetailsElement>('.inbox-keys')!;
const toggle = help.querySelector('input')!;
const leads = [...document.querySelectorAll<HTMLAnchorElement>('.inbox-leads a')];

help.hidden = false;
toggle.checked = localStorage.getItem(STORAGE_KEY) !== 'off';
toggle.addEventListener('change', () =>
  localStorage.setItem(STORAGE_KEY, toggle.checked ? 'on' : 'off'),
);

/** Moves focus to the next or previous lead, or to the first one if no lead has focus. */
function moveFocus(delta: 1 | -1): void {
  const index = leads.findIndex((lead) => lead === document.activeElement);
  leads[index === -1 ? 0 : index + delta]?.focus();
}

const shortcutHandlers: ReadonlyMap<string, () => void> = new Map([
  ['j', () => moveFocus(1)],
  ['k', () => moveFocus(-1)],
  ['/', () => document.querySelector<HTMLInputElement>('#find')?.focus()],
  ['u', () => document.querySelector<HTMLAnchorElement>('a[data-up]')?.click()],
  [
    '?',
    () => {
      help.open = !help.open;
      help.querySelector('summary')!.focus();
    },
  ],
]);

addEventListener('keydown', (event) => {
  const handler = shortcutHandlers.get(event.key);
  const isTyping =
    event.isComposing ||
    findClosestElement(event, 'input, select, textarea, [contenteditable]') !== null;
  if (!handler || isTyping || !toggle.checked || event.ctrlKey || event.metaKey || event.altKey)
    return;
  event.preventDefault();
  handler();
});
