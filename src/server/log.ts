import { destination, type Logger, pino } from 'pino';

/**
 * The log, one JSON object a line on the standard error stream; the standard output is for the
 * person who starts it. Routes are logged as patterns: no query, body, token or address.
 */
export const makeLog = (level: string): Logger =>
  pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination(2));
