import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const USER = 65_534;

it.runIf(process.getuid?.() === 0).each(['programs', 'build.lock'])(
  'a build by the service user after one by root names the command that returns %s to the user',
  (name) => {
    const outDir = mkdtempSync(join(tmpdir(), 'frontage-root-owned-'));
    onTestFinished(() => rmSync(outDir, { recursive: true }));
    chownSync(outDir, USER, USER);
    const owned = join(outDir, name);
    if (name === 'programs') mkdirSync(owned);
    else writeFileSync(owned, '');
    chmodSync(owned, name === 'programs' ? 0o755 : 0o644);
    const { status, stderr } = spawnSync(process.execPath, ['src/cli/run.js', 'build'], {
      encoding: 'utf8',
      uid: USER,
      gid: USER,
      env: { ...process.env, OUT_DIR: outDir, NODE_COMPILE_CACHE: '' },
    });
    expect(stderr).toContain(
      `${owned} belongs to root, perhaps because a command ran as root. As root, run chown -R ${USER} '${outDir}'.`,
    );
    expect(status).toBe(1);
  },
);
