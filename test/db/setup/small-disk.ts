import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of 2 MB in memory; undefined where this user may not mount one. `remove` takes it away. */
export function smallDisk(): { folder: string; remove(): void } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'frontage-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  return {
    folder,
    remove() {
      execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
      rmdirSync(folder);
    },
  };
}
