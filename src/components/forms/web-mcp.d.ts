/** Attributes that offer a form as a tool to agents in a browser (WebMCP, W3C draft). */
declare namespace astroHTML.JSX {
  interface FormHTMLAttributes {
    /** Name of the tool, unique on its page. */
    toolname?: string | undefined;
    tooldescription?: string | undefined;
  }
  interface InputHTMLAttributes {
    /** Description of the parameter. */
    toolparamdescription?: string | undefined;
  }
}
