/** The anchor of a heading, derived from its inline HTML. */
export const toHeadingAnchor = (html: string): string =>
  html
    .toLowerCase()
    .replaceAll(/<[^>]+>|&[a-z]+;/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/**
 * The anchor of a section of an operator’s text. Its prefix distinguishes it from the IDs of the
 * page’s own elements, such as the table of hours.
 */
export const toSectionAnchor = (headingHtml: string): string =>
  `section-${toHeadingAnchor(headingHtml)}`;
