import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk that fills up quickly. */
export interface SmallDisk {
  folder: string;
  /** Fills the disk completely. */
  fill(): void;
  /** Deletes the filler. */
  clear(): void;
  remove(): void;
}

/**
 * Mounts a 2-MB disk in memory; undefined if this user may not mount disks. `remove` unmounts it.
 */
export function mountSmallDisk(): SmallDisk | undefined {
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
          // Nothing more of this size fits.
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
