/** A statement and its values, in order. */
export type BoundStatement = readonly [sql: string, values: readonly unknown[]];

/**
 * Statements encoded for another thread. Their text is long and repetitive, so each string is sent
 * once and then referenced by number; `restartsNumbering` discards the earlier numbers.
 */
export interface EncodedStatements {
  restartsNumbering: boolean;
  /** New SQL strings, whose numbers continue from the last message. */
  texts: string[];
  statements: [textNumber: number, values: readonly unknown[]][];
}

/** Maximum number of remembered SQL strings before the numbering restarts. */
const MAX_TEXTS = 500;

/** Encodes statements for a thread. */
export class StatementEncoder {
  readonly #numbers = new Map<string, number>();
  #restartsNumbering = true;

  encode(statements: readonly BoundStatement[]): EncodedStatements {
    if (this.#numbers.size >= MAX_TEXTS) this.reset();
    const restartsNumbering = this.#restartsNumbering;
    this.#restartsNumbering = false;
    const texts: string[] = [];
    const assignNumber = (text: string): number => {
      let number = this.#numbers.get(text);
      if (number === undefined) {
        this.#numbers.set(text, (number = this.#numbers.size));
        texts.push(text);
      }
      return number;
    };
    return {
      restartsNumbering,
      texts,
      statements: statements.map(([text, values]) => [assignNumber(text), values]),
    };
  }

  /** Restarts the numbering after a lost message or for a new receiver. */
  reset(): void {
    this.#numbers.clear();
    this.#restartsNumbering = true;
  }
}

/** Decodes statements in the receiving thread. */
export class StatementDecoder {
  readonly #texts: string[] = [];

  decode({ restartsNumbering, texts, statements }: EncodedStatements): BoundStatement[] {
    if (restartsNumbering) this.#texts.length = 0;
    this.#texts.push(...texts);
    return statements.map(([number, values]) => {
      const text = this.#texts[number];
      if (text === undefined) throw new Error('Received a statement without its text.');
      return [text, values];
    });
  }
}
