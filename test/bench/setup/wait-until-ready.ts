import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a request to a server succeeds. @throws if none succeeds within a minute */
export async function waitUntilReady(url: string, request?: RequestInit): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const response = await fetch(url, request).catch(() => undefined);
    if (response?.ok) return;
    await delay(100);
  }
  throw new Error(`No response from ${url}.`);
}
