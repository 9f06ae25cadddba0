import { eraseA2aTasks } from '../a2a/a2a-task-record.ts';
import { eraseResults } from '../capabilities/erase-results.ts';
import { eraseShareLinks } from '../links/erase-share-links.ts';
import type { Eraser } from '../operation/eraser.ts';

/** Erasers of the features other than leads that store data about a lead or a person. */
export const erasers: readonly Eraser[] = [eraseA2aTasks, eraseResults, eraseShareLinks];
