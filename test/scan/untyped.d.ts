declare module '@adobe/structured-data-validator' {
  /** A finding about structured data. */
  interface Issue {
    severity: 'ERROR' | 'WARNING';
    issueMessage: string;
    rootType: string;
  }
  export default class Validator {
    validate(data: unknown): Promise<Issue[]>;
  }
}

declare module '@marbec/web-auto-extractor' {
  export default class WebAutoExtractor {
    constructor(options: { addLocation: boolean; embedSource: boolean });
    parse(html: string): unknown;
  }
}
