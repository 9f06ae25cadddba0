/*
 * Shows a person what they sent, in the tab that sent it. The document itself never contains it,
 * because anyone who has its address can read it.
 */
import { splitAtPhones } from '../../site/words/non-breaking-spaces.ts';
import { deleteSavedValues, readReceiptValues, consumeResentMark } from '../forms/saved-values.ts';
import { writtenTextOf } from './written-text.ts';

const section = document.querySelector<HTMLElement>('[data-sent-by]');
if (section) {
  const values = readReceiptValues(section.dataset['sentBy']!);
  for (const entry of section.querySelectorAll<HTMLElement>('[data-inputs]')) {
    const texts = entry.dataset['inputs']!.split(' ').map((name) => writtenTextOf(values, name));
    const shownText = texts.filter(Boolean).join('; ');
    if (!shownText) continue;
    const shownWords = /[?.!]\s*$/.test(entry.textContent) ? ` ${shownText}` : `: ${shownText}`;
    entry.append(
      ...splitAtPhones(shownWords).map(({ text, isPhone }) => {
        if (!isPhone) return text;
        const phone = document.createElement('span');
        phone.className = 'phone';
        phone.textContent = text;
        return phone;
      }),
    );
    section.querySelector<HTMLElement>('[data-private]')!.hidden = true;
    section.querySelector<HTMLElement>('[data-shown-here]')!.hidden = false;
  }
}

const resentNotice = document.querySelector<HTMLElement>('[data-sent-before]');
if (resentNotice && consumeResentMark()) resentNotice.hidden = false;

document.querySelector('form[action$="/erase"]')?.addEventListener('submit', deleteSavedValues);
