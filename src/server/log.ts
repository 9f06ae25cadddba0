import { destination, type Logger, pino } from 'pino';

/**
 * The log on standard error, one JSON object per line; standard output is for the operator. Routes
 * are logged as patterns: no query, body, token or address.
 */
export const createLog = (level: string): Logger =>
  pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination(2));
