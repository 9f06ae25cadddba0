import type { Catalog } from '../../registry/schemas/catalog.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { fill } from '../../text/fill.ts';
import { servicePage as text } from '../../text/index.ts';
import { CONTACT_ANCHOR } from '../../site/forms/form-inputs.ts';
import { readLightBoard } from '../../site/light-board.ts';
import { itemFieldOf, listOfferedActions } from '../../site/registry.ts';

/** A link from the top of a page to a main action. */
export interface ActionLink {
  title: string;
  /** URL fragment on the same page. */
  href: string;
}

/**
 * The main actions on a subsite's page, most important first: the items if they are articles or each
 * has a page with a form, otherwise the forms.
 */
export function createActionLinks(
  subsite: Pick<Subsite, 'actions' | 'contactForm'>,
  catalog: Catalog | undefined,
): ActionLink[] {
  const offeredActions = listOfferedActions(subsite);
  const areItemsFirst =
    catalog?.route !== undefined &&
    (catalog.schemaType === 'Article' || offeredActions.some(itemFieldOf));
  const { contactForm } = subsite;
  return [
    ...(areItemsFirst
      ? [{ title: fill(text.seeItems, { items: catalog.title.toLowerCase() }), href: '#items' }]
      : []),
    ...offeredActions.map(({ title, verb }) => ({ title, href: `#${verb}` })),
    ...(catalog?.items.some(readLightBoard) ? [{ title: text.play, href: '#play' }] : []),
    ...(contactForm ? [{ title: contactForm.button, href: `#${CONTACT_ANCHOR}` }] : []),
  ];
}
