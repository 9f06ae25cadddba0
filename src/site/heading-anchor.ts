/** The anchor of a heading, derived from its inline HTML. */
export const toHeadingAnchor = (html: string): string =>
  html
    .toLowerCase()
    .replaceAll(/<[^>]+>|&[a-z]+;/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
