declare namespace App {
  interface Locals {
    /** The world of the operations. */
    context: import('./operations/context.ts').Context;
    /** Address of the client, behind the proxies that are trusted. */
    clientAddress: string;
    /** Pattern of the route that answered, for the log; set by the middleware. */
    route?: string;
    /** A refused form, for the page that shows it again. */
    formFault?: import('./transports/form.ts').FormFault;
    /** The answer to something thrown: a refusal as it is, anything else as an internal fault that is logged. */
    replyTo(thrown: unknown): import('./transports/http.ts').Reply;
    /** The same as a Response. */
    answerFault(thrown: unknown): Response;
  }
}
