import { eraseA2aTasks } from '../a2a/a2a-task-record.ts';
import { eraseResults } from '../capabilities/erase-results.ts';
import { eraseShareLinks } from '../links/erase-share-links.ts';
import type { Eraser } from '../operation/eraser.ts';

/**
 * Every feature beside leads that keeps something of a lead or of a person. A feature that begins
 * to do so is added here.
 */
export const erasers: readonly Eraser[] = [eraseA2aTasks, eraseResults, eraseShareLinks];
