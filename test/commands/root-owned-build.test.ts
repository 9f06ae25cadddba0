import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const NOBODY_ID = 65_534;

it.runIf(process.getuid?.() === 0).each(['programs', 'build.lock'])(
  'a build by the service user after one by root names the command that returns %s to the user',
  (name) => {
    const outDir = mkdtempSync(join(tmpdir(), 'frontage-root-owned-'));
    onTestFinished(() => rmSync(outDir, { recursive: true }));
    chownSync(outDir, NOBODY_ID, NOBODY_ID);
    const ownedPath = join(outDir, name);
    if (name === 'programs') mkdirSync(ownedPath);
    else writeFileSync(ownedPath, '');
    chmodSync(ownedPath, name === 'programs' ? 0o755 : 0o644);
    const { status, stderr } = spawnSync(process.execPath, ['src/cli/run.js', 'build'], {
      encoding: 'utf8',
      uid: NOBODY_ID,
      gid: NOBODY_ID,
      env: { ...process.env, OUT_DIR: outDir, NODE_COMPILE_CACHE: '' },
    });
    expect(stderr).toContain(
      `${ownedPath} belongs to root, perhaps because a command ran as root. As root, run chown -R ${NOBODY_ID} '${outDir}'.`,
    );
    expect(status).toBe(1);
  },
);
