import type { Database } from '../../db/index.ts';
import type { Eraser } from './eraser.ts';
import type { Site } from '../site/site.ts';

/** The log, with pino's interface. It must never contain a lead's text, a contact or a token. */
export interface Logger {
  info: (fields: Record<string, unknown>, message: string) => void;
  warn: (fields: Record<string, unknown>, message: string) => void;
  error: (fields: Record<string, unknown>, message: string) => void;
}

export interface TokenGenerators {
  /** An unguessable receipt token of 21 URL-safe characters. Tokens sort by time. */
  receipt: (moment: Date) => string;
  /** A share token of 8 characters without look-alikes, easy to read aloud. */
  share: () => string;
  /** 4 lowercase characters that make two identical slugs distinct. */
  suffix: () => string;
  /** ID of an event or of a logged error, 16 characters without look-alikes. IDs sort by time. */
  event: (moment: Date) => string;
}

/** Limits on scarce resources; 0 means no limit. Settings with the same names define them. */
export interface Budgets {
  /** Maximum number of leads in 24 hours. */
  readonly leadsPerAddress: number;
  /** Maximum number of replies to providers in 24 hours. */
  readonly messagesPerAddress: number;
  /** Maximum number of concurrent unconfirmed holds. */
  readonly holdsPerContact: number;
  readonly holdsPerAddress: number;
  /** Maximum share of a catalog's units in unconfirmed holds on one day, in percent. */
  readonly holdsShare: number;
  /** Maximum number of storefronts in 24 hours. */
  readonly storefrontsPerContact: number;
  readonly storefrontsPerAddress: number;
  readonly storefrontsPerDay: number;
  /** Maximum number of share links in 24 hours. */
  readonly shareLinksPerAddress: number;
  /** Maximum number of A2A tasks in 24 hours. */
  readonly a2aTasksPerAddress: number;
  /** Maximum number of leads from one address in 24 hours for which the person gets email. */
  readonly emailedLeadsPerAddress: number;
  /** Maximum cost of questions in a minute. */
  readonly questionsPerAddress: number;
}

/**
 * The dependencies of operations, created once at startup; operations never read the environment. A
 * feature adds its own dependencies with `declare module`.
 */
export interface Context {
  readonly site: Site;
  /** `writer` takes writes and reads that must see the last write; `reader` takes all others. */
  readonly database: Database;
  now: () => Date;
  readonly tokens: TokenGenerators;
  readonly log: Logger;
  readonly erasers: readonly Eraser[];
  /** Secret for signed links and sessions; if absent, the service uses a generated one. */
  readonly linkSecret?: string;
  /** The budgets; if absent, as in a command, there are no limits. */
  readonly budgets?: Budgets;
  /**
   * Whether to reject submitted callback URLs on this machine or its network. If absent, URLs are
   * checked only before each call.
   */
  readonly refusesPrivateTargets?: boolean;
  /** Channels that notify providers; absent if unknown, as in a command. */
  readonly channels?: readonly string[];
  /** How long, in ms, a repeated call waits for the first call with its key; defaults to 2,000. */
  readonly repeatWaitMs?: number;
  /** Whether people get email about their requests; defaults to false. */
  readonly isCustomerEmailEnabled?: boolean;
  /** The address that the service sends email from, without a name; absent without a mail server. */
  readonly senderAddress?: string;
  /** Signs a receipt (JWS, RFC 7515 compact form); without it, receipts are unsigned. */
  readonly signReceipt?: (claims: Readonly<Record<string, unknown>>) => Promise<string>;
  /**
   * Signs the receipt or the status of a lead (detached JWS over its canonical JSON). Present
   * only together with `signReceipt`.
   */
  readonly signDocument?: (document: object) => Promise<string>;
}
