import type { View } from '../../http/views.ts';

/** The view that the app created for this page. */
export function viewOf<Kind extends View['kind']>(
  { view }: { view: View },
  kind: Kind,
): Extract<View, { kind: Kind }> {
  const isOfKind = (one: View): one is Extract<View, { kind: Kind }> => one.kind === kind;
  if (!isOfKind(view))
    throw new Error(`The page for ${kind} was requested with a view for ${view.kind}.`);
  return view;
}
