const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text for XML, in elements and attributes. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => entities[sign]!);
