import { findClosestElement } from '../event-target.ts';

/*
 * Loads the calendar of available days and the total for the chosen days from the server into the
 * hold form.
 */

for (const box of document.querySelectorAll<HTMLElement>('[data-free-days]')) {
  const form = box.closest('form');
  if (!form) continue;
  const { freeDays = '', itemField = '', fromField = '', toField = '' } = box.dataset;
  const names = [itemField, fromField, toField];
  let latestRequestNumber = 0;

  const valueOf = (name: string) => {
    const value = new FormData(form).get(name);
    return typeof value === 'string' ? value : '';
  };

  const findFirstDayInput = () =>
    form.querySelector<HTMLInputElement>(`[name="${CSS.escape(fromField)}"]`);

  /**
   * Marks the first day as invalid if the calendar shows that a chosen day is taken, unless the
   * form was already sent, because its own hold may then have taken the day.
   */
  function markTakenDays(): void {
    const input = findFirstDayInput();
    const isSent = Boolean((history.state as Record<string, string> | null)?.[form!.id]);
    if (!input || isSent) return;
    input.setCustomValidity(box.querySelector('[data-taken]')?.textContent.trim() ?? '');
    if (form!.querySelector('.fault')) input.dispatchEvent(new Event('input', { bubbles: true }));
  }

  function setFieldValue(name: string, value: string): void {
    const inputs = form!.querySelectorAll<HTMLInputElement>(`[name="${CSS.escape(name)}"]`);
    for (const input of inputs)
      if (input.type === 'radio') input.checked = input.value === value;
      else input.value = value;
    // Simulates typing, so that error messages about the old value disappear.
    inputs[0]?.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /**
   * Shows the buttons that open the calendars, or instead asks the person to choose an item, which
   * loads its calendar.
   */
  function showItemButtons(isShown: boolean): void {
    for (const part of box.querySelectorAll<HTMLElement>('[data-item-buttons], [data-choose-item]'))
      part.hidden = part.matches('[data-item-buttons]') !== isShown;
  }

  /** Shows the name of the loaded item and its requirements on a page for another item. */
  function showItem(page: Document, address: string): void {
    document.title = page.title;
    for (const part of ['h1', 'h1 ~ .lede']) {
      const currentElement = document.querySelector(part);
      if (currentElement) currentElement.textContent = page.querySelector(part)?.textContent ?? '';
    }
    const [list, newList] = [document, page].map((one) => one.querySelector('.bring'));
    if (newList) list?.replaceChildren(...document.adoptNode(newList).childNodes);
    history.replaceState(history.state, '', address);
  }

  /**
   * Shows the server's response for a URL, unless a newer URL was requested in the meantime. If
   * there is no response, submits the form with the button that the person pressed, if any, as a
   * page without scripts would, so that the browser shows the reason.
   */
  async function load(address: string, button?: HTMLButtonElement): Promise<void> {
    const requestNumber = ++latestRequestNumber;
    const answer = await fetch(address).catch(() => undefined);
    if (requestNumber !== latestRequestNumber) return;
    if (!answer?.ok) {
      if (button) submitWith(button);
      showItemButtons(true);
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const newBox = page.querySelector('[data-free-days]');
    if (!newBox || requestNumber !== latestRequestNumber) return;
    const day = document.activeElement?.getAttribute('data-day');
    box.replaceChildren(...document.adoptNode(newBox).childNodes);
    markTakenDays();
    if (location.pathname.startsWith(`${freeDays}/`)) showItem(page, address);
    if (!day) return;
    box.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus({ preventScroll: true });
    if (valueOf(toField)) box.querySelector('.total')?.scrollIntoView({ block: 'nearest' });
  }

  /** Submits the form with a button, without a submit event, which would validate the inputs. */
  function submitWith({ name, value, formAction }: HTMLButtonElement): void {
    if (name)
      form!.append(Object.assign(document.createElement('input'), { name, value, hidden: true }));
    form!.action = formAction;
    form!.submit();
  }

  /** Shows the calendar for the form's values, starting with the first visible day. */
  function refreshCalendar(start?: string, button?: HTMLButtonElement): void {
    const item = valueOf(itemField);
    if (!item) return;
    findFirstDayInput()?.setCustomValidity('');
    const chosenDays = { from: valueOf(fromField), to: valueOf(toField), start };
    const query = new URLSearchParams(
      Object.entries(chosenDays).flatMap(([name, day]) => (day ? [[name, day]] : [])),
    );
    void load(`${freeDays}/${encodeURIComponent(item)}?${query}`, button);
  }

  box.addEventListener('click', (event) => {
    const target = findClosestElement(event, 'button');
    if (!(target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    const { item, day, start = box.querySelector('table')?.dataset['start'] } = target.dataset;
    if (item !== undefined) setFieldValue(itemField, item);
    if (day !== undefined) {
      // Safari does not focus a tapped button.
      target.focus({ preventScroll: true });
      const from = valueOf(fromField);
      const isEndDay = from !== '' && !valueOf(toField) && day >= from;
      if (!isEndDay) setFieldValue(toField, '');
      setFieldValue(isEndDay ? toField : fromField, day);
    }
    refreshCalendar(start, day === undefined ? target : undefined);
  });
  form.addEventListener('change', ({ target }) => {
    if (target instanceof Element && names.includes(target.getAttribute('name') ?? ''))
      refreshCalendar();
  });
  showItemButtons(false);
  markTakenDays();
  if (!box.querySelector('table')) refreshCalendar();
}
