declare namespace App {
  /** The input for a page that is rendered on demand. */
  interface Locals {
    site: import('./site/site.ts').Site;
    view: import('./http/views.ts').View;
  }
}
