/**
 * Attributes by which a form offers itself to agents in a browser as a tool (WebMCP, W3C draft).
 */
declare namespace astroHTML.JSX {
  interface FormHTMLAttributes {
    /** Name of the tool, unique on its page. */
    toolname?: string | undefined;
    tooldescription?: string | undefined;
  }
  interface InputHTMLAttributes {
    /** What the parameter means. */
    toolparamdescription?: string | undefined;
  }
}
