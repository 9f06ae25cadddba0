import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Wall time, CPU time and peak resident memory (MB) of a command. */
export interface Measurement {
  seconds: number;
  /** User and system time of the command, including its threads. */
  cpuSeconds: number;
  peakMegabytes: number;
  status: number | null;
  output: string;
}

const SAMPLE_INTERVAL_MS = 25;

/** Resident memory of a process and its descendants in MB; 0 if it has exited. */
export function readResidentMegabytes(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
    const kilobytes = Number(
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0,
    );
    return (
      kilobytes / 1024 + children.reduce((sum, child) => sum + readResidentMegabytes(child), 0)
    );
  } catch {
    return 0; // The process exited between two reads.
  }
}

/** Clock ticks per second in /proc. */
const TICKS_PER_SECOND = 100;

/** CPU time of a process so far, in seconds; undefined if it has exited. */
export function readCpuSeconds(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** Runs a command to completion and measures it. */
export function measure(
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Measurement> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(command, args, { env: { ...process.env, ...environment } });
    let peakMegabytes = 0;
    let cpuSeconds = 0;
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const timer = setInterval(() => {
      peakMegabytes = Math.max(peakMegabytes, readResidentMegabytes(child.pid!));
      cpuSeconds = readCpuSeconds(child.pid!) ?? cpuSeconds;
    }, SAMPLE_INTERVAL_MS);
    child.on('error', reject);
    child.on('close', (status) => {
      clearInterval(timer);
      resolve({
        seconds: (performance.now() - startedAt) / 1000,
        cpuSeconds,
        peakMegabytes,
        status,
        output,
      });
    });
  });
}
