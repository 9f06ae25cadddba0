import { type Browser, chromium } from 'playwright-core';
import { findProgram } from './programs.ts';

const QUIET = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];

/** A headless Chromium, the one that is installed. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findProgram('chromium');
  if (!executablePath) throw new Error('No chromium is installed. Install Debian’s package chromium.');
  return chromium.launch({ executablePath, args: QUIET });
}
