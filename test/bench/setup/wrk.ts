import { execFileSync } from 'node:child_process';

/** Results of a wrk run. */
export interface LoadResult {
  requestsPerSecond: number;
  p99Milliseconds: number;
}

const MILLISECONDS_PER_UNIT: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };

/** Loads a local URL with wrk for a few seconds. @throws if any response is not successful */
export function load(
  url: string,
  { connections, seconds, script }: { connections: number; seconds: number; script?: string },
): LoadResult {
  const text = execFileSync(
    'wrk',
    [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--latency',
      '--timeout',
      '10s',
      ...(script ? ['-s', script] : []),
      url,
    ],
    { encoding: 'utf8' },
  );
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(`${url} returned errors:\n${text}`);
  const [, amount, unit] = /99%\s+([\d.]+)(us|ms|s)\b/.exec(text)!;
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)![1]),
    p99Milliseconds: Number(amount) * MILLISECONDS_PER_UNIT[unit!]!,
  };
}
