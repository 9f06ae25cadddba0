/** The nearest element of a selector around the target of an event; null where there is none. */
export const closestTo = (
  { target }: Pick<Event, 'target'>,
  selector: string,
): HTMLElement | null => (target instanceof Element ? target.closest<HTMLElement>(selector) : null);
