import { type Browser, chromium } from 'playwright-core';
import { findProgram } from './programs.ts';

const DEFAULT_ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
];

/** Launches the installed headless Chromium; `more` are additional command-line arguments. */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findProgram('chromium');
  if (!executablePath)
    throw new Error('Chromium is not installed. Install Debian’s chromium-headless-shell package.');
  return chromium.launch({ executablePath, args: [...DEFAULT_ARGS, ...more] });
}
