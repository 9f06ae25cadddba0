/** The closest ancestor of an event's target that matches a selector; null if there is none. */
export const findClosestElement = (
  { target }: Pick<Event, 'target'>,
  selector: string,
): HTMLElement | null => (target instanceof Element ? target.closest<HTMLElement>(selector) : null);
