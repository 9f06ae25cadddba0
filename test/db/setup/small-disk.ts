import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk that is soon full. */
export interface SmallDisk {
  folder: string;
  /** Leaves no room for as much as a page of a database. */
  fill(): void;
  /** Takes away what filled it. */
  clear(): void;
  remove(): void;
}

/**
 * A disk of 2 MB in memory; undefined where this user may not mount one. `remove` takes it away.
 */
export function smallDisk(): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'frontage-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  return {
    folder,
    fill() {
      for (const size of [1_000_000, 100_000, 10_000, 4_096])
        try {
          for (let piece = 0; ; piece++)
            writeFileSync(join(folder, `filler-${size}-${piece}`), Buffer.alloc(size));
        } catch {
          // No more of this size fits.
        }
    },
    clear() {
      for (const name of readdirSync(folder))
        if (name.startsWith('filler')) rmSync(join(folder, name));
    },
    remove() {
      execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
      rmdirSync(folder);
    },
  };
}
