const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text for XML and HTML, in elements and attributes between double quotes. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => entities[sign]!);
