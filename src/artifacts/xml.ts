const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text as it stands in XML, in elements and attributes. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => entities[sign]!);
