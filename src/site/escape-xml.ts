const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes text for XML and HTML, for elements and double-quoted attributes. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => XML_ENTITIES[sign]!);
