import type { Database } from '../../db/index.ts';
import type { Eraser } from './eraser.ts';
import type { Site } from '../site/site.ts';

/**
 * Where an operation says what happened; pino’s shape. A lead’s text, a contact or a token never
 * goes in.
 */
export interface Log {
  info: (fields: Record<string, unknown>, message: string) => void;
  warn: (fields: Record<string, unknown>, message: string) => void;
  error: (fields: Record<string, unknown>, message: string) => void;
}

/** Makers of random names; each call gives a new one. */
export interface Tokens {
  /**
   * 21 characters, URL-safe: a receipt that only its holder can name. Those made later sort later.
   */
  receipt: (at: Date) => string;
  /** 8 characters without look-alikes: a link that can be read out. */
  share: () => string;
  /** 4 lower-case characters that tell two equal slugs apart. */
  suffix: () => string;
  /**
   * Id of an event or of a fault in the log, 16 characters without look-alikes. Those made later
   * sort later.
   */
  event: (at: Date) => string;
}

/**
 * How much anybody may have of what would otherwise run out; 0 is without limit. Settings of the
 * same names fill it.
 */
export interface Budgets {
  /** Unconfirmed holds at a time. */
  readonly holdsPerContact: number;
  readonly holdsPerAddress: number;
  /** Most units of a catalog that unconfirmed holds take on one day, in percent. */
  readonly holdsShare: number;
  /** Storefronts in 24 hours. */
  readonly storefrontsPerContact: number;
  readonly storefrontsPerAddress: number;
  readonly storefrontsPerDay: number;
  /** Share links in 24 hours. */
  readonly shareLinksPerAddress: number;
  /** A2A tasks in 24 hours. */
  readonly a2aTasksPerAddress: number;
  /** Questions in a minute, by cost. */
  readonly questionsPerAddress: number;
}

/**
 * The world as an operation sees it. It is made once at start; operations never read the
 * environment. A feature that needs more than others do adds it where it is (`declare module`).
 */
export interface Context {
  readonly site: Site;
  /**
   * `writer` takes every write as a batch and every read that must see the last write; `reader` the
   * others.
   */
  readonly database: Database;
  now: () => Date;
  readonly tokens: Tokens;
  readonly log: Log;
  /** What an erase of a lead reaches beside the tables of leads. */
  readonly erasers: readonly Eraser[];
  /**
   * Secret of signed links and sessions; one that the service made for itself where it is absent.
   */
  readonly linkSecret?: string;
  /**
   * How much anybody may have of what runs out; without limit where it is absent, as in a command.
   */
  readonly budgets?: Budgets;
  /**
   * Whether programs may not be called on this machine and its network; decided when they are
   * called where it is absent.
   */
  readonly refusesPrivateTargets?: boolean;
  /** Channels through which providers are notified; unknown where absent, as in a command. */
  readonly channels?: readonly string[];
  /** Whether people get mail about their requests; not where it is absent. */
  readonly mailsPeople?: boolean;
  /** Signs a receipt (JWS, RFC 7515 compact form); receipts are unsigned where it is absent. */
  readonly signReceipt?: (claims: Readonly<Record<string, unknown>>) => Promise<string>;
  /**
   * Signs the receipt or the status of a lead (detached JWS over its canonical JSON); absent where
   * `signReceipt` is.
   */
  readonly signDocument?: (document: object) => Promise<string>;
}
