declare namespace App {
  /** What a page made on demand gets. */
  interface Locals {
    site: import('./site/site.ts').Site;
    view: import('./http/views.ts').View;
  }
}
