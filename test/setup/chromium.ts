import { type Browser, chromium } from 'playwright-core';
import { findProgram } from './programs.ts';

const QUIET = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];

/** A headless Chromium, the one that is installed; `more` are arguments of its command line. */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findProgram('chromium');
  if (!executablePath)
    throw new Error('No chromium is installed. Install Debian’s package chromium-headless-shell.');
  return chromium.launch({ executablePath, args: [...QUIET, ...more] });
}
