/** A statement and its values, in order. */
export type BoundStatement = readonly [sql: string, values: readonly unknown[]];

/**
 * Statements on their way to another thread. Their texts are long and mostly the same, so each is
 * sent once and named by its number from then on; `fresh` restarts the numbering.
 */
export interface SentStatements {
  fresh: boolean;
  /** Texts not sent before, numbered from where the last batch ended. */
  texts: string[];
  statements: [text: number, values: readonly unknown[]][];
}

/** Texts that are remembered before numbering restarts. */
const MAX_TEXTS = 500;

/** The side that sends. */
export class StatementSender {
  readonly #numbers = new Map<string, number>();
  #fresh = true;

  send(statements: readonly BoundStatement[]): SentStatements {
    if (this.#numbers.size >= MAX_TEXTS) this.forget();
    const fresh = this.#fresh;
    this.#fresh = false;
    const texts: string[] = [];
    const numberOf = (text: string): number => {
      let number = this.#numbers.get(text);
      if (number === undefined) {
        this.#numbers.set(text, (number = this.#numbers.size));
        texts.push(text);
      }
      return number;
    };
    return {
      fresh,
      texts,
      statements: statements.map(([text, values]) => [numberOf(text), values]),
    };
  }

  /** Restarts: what was sent last did not arrive, or there is a new receiver. */
  forget(): void {
    this.#numbers.clear();
    this.#fresh = true;
  }
}

/** The side that receives. */
export class StatementReceiver {
  readonly #texts: string[] = [];

  receive({ fresh, texts, statements }: SentStatements): BoundStatement[] {
    if (fresh) this.#texts.length = 0;
    this.#texts.push(...texts);
    return statements.map(([number, values]) => {
      const text = this.#texts[number];
      if (text === undefined) throw new Error('A statement came without its text.');
      return [text, values];
    });
  }
}
