import { execSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listExposedSecretNotices } from '../src/cli/exposed-secrets.ts';
import { findMisspelledSettings } from '../src/cli/misspelled-settings.ts';
import {
  listPrivateTargetNotices,
  readSettings,
  readSelectedSettings,
  settingNames,
  SettingsError,
} from '../src/settings.ts';
import { createPropertyParameters } from './setup/seeds.ts';

describe('SITE_URL', () => {
  it.each([
    [{}, 'http://localhost:4321'],
    [{ PORT: '8080' }, 'http://localhost:8080'],
    [{ PORT: '0' }, 'http://localhost:4321'],
    [{ PORT: '8080', SITE_URL: 'https://example.com' }, 'https://example.com'],
  ])('set to %j is %s', (environment, siteUrl) => {
    expect(readSettings(environment).siteUrl).toBe(siteUrl);
  });
});

describe('LEADS_PER_ADDRESS and MESSAGES_PER_ADDRESS', () => {
  it.each([
    [{}, [300, 300]],
    [{ RATE_LIMIT_WRITES: '0' }, [0, 0]],
    [{ RATE_LIMIT_WRITES: '600' }, [6000, 6000]],
    [{ RATE_LIMIT_WRITES: '1000000' }, [1_000_000, 1_000_000]],
    [{ RATE_LIMIT_WRITES: '0', LEADS_PER_ADDRESS: '50' }, [50, 0]],
  ])('with %j are %j', (environment, limits) => {
    const { leadsPerAddress, messagesPerAddress } = readSettings(environment);
    expect([leadsPerAddress, messagesPerAddress]).toEqual(limits);
  });
});

it('an invalid setting is shown with its value only if that cannot be a secret', () => {
  const environment = {
    PORT: 'all',
    SMTP_URL: 'mail:hunter2',
    MAIL_FROM: 'user:hunter2@example.com',
    WEBHOOK_SECRET: 'hunter2',
    ADMIN_TOKEN: 'hunter2',
    RECEIPT_SIGNING_KEY: 'hunter2',
    DATABASE_URL: 'hunter2',
  };
  let message = '';
  try {
    readSettings(environment);
  } catch (error) {
    ({ message } = error as Error);
  }
  expect(message).toMatch(/^PORT: expected .*, not "all"\.$/m);
  expect(message).toMatch(/^SMTP_URL: expected /m);
  expect(message).not.toContain('hunter2');
});

describe('invalid settings', () => {
  const invalidSettings = {
    SITE_URL: 'example.com',
    PORT_FILE: '/no/such/file',
    SMTP_URL_FILE: '/no/such/file',
    MAIL_FROM: 'network@example.com',
    RECEIPT_SIGNING_KEY_FILE: '/no/such/file',
    WEBHOOK_URL: 'https://example.com/hook',
    ALERTS_TO: 'operator@example.com',
  };
  const faults = [
    'SITE_URL: expected an absolute origin without a trailing slash, such as https://example.com, not "example.com".',
    ...['PORT', 'SMTP_URL', 'RECEIPT_SIGNING_KEY'].map(
      (name) => `${name}_FILE: /no/such/file cannot be read. Use the path of a readable file.`,
    ),
    'WEBHOOK_URL and WEBHOOK_SECRET: one is set without the other. Set both or neither.',
  ];

  it('are all listed at once, without duplicates', () => {
    expect(() => readSettings(invalidSettings)).toThrow(faults.join('\n'));
  });

  it('are all listed if a required setting is invalid, and otherwise not checked', () => {
    expect(() => readSelectedSettings(['siteUrl'], invalidSettings)).toThrow(faults.join('\n'));
    expect(readSelectedSettings(['outDir'], invalidSettings)).toEqual({ outDir: 'dist' });
  });
});

it.each([
  [
    { LOG_LEVEL: '“warn”' },
    /^LOG_LEVEL: expected one of .*\. It is in curly quotes, .* Use straight quotes/,
  ],
  [
    { SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_FROM: '“desk@example.com”' },
    /^MAIL_FROM: expected an email address, .*\. It is in curly quotes, /,
  ],
  [
    { PORT: '4750', METRICS_PORT: '4750' },
    'METRICS_PORT and PORT are the same. Set METRICS_PORT to another port.',
  ],
])('%j are refused', (environment, message) => {
  expect(() => readSettings(environment)).toThrow(message);
});

describe('the URL of a service that the server calls', () => {
  const names = ['WEBHOOK', 'VIDEO_PROVIDER', 'RESEARCH_PROVIDER'];
  const listNotices = (url: string, more: Record<string, string> = {}) =>
    listPrivateTargetNotices(
      readSettings({
        ...Object.fromEntries(
          names.flatMap((name) => [
            [`${name}_URL`, url],
            [`${name}_SECRET`, `whsec_${Buffer.alloc(32, 7).toString('base64')}`],
          ]),
        ),
        ...more,
      }),
    );

  it.each(['http://127.0.0.1:9/hook', 'http://10.0.0.1', 'https://[::1]:9', 'http://localhost:9'])(
    'causes a warning at startup if it is %s, unless ALLOW_PRIVATE_TARGETS is 1',
    (url) => {
      expect(listNotices(url)).toEqual(
        names.map(
          (name) =>
            `${name}_URL points to this machine or a private network, to which nothing is sent. Use a public address, or set ALLOW_PRIVATE_TARGETS=1 for development.`,
        ),
      );
      expect(listNotices(url, { ALLOW_PRIVATE_TARGETS: '1' })).toEqual([]);
    },
  );

  it('may be public', () => {
    expect(listNotices('https://hooks.example')).toEqual([]);
  });
});

describe('HOST', () => {
  it.each(['127.0.0.1', '0.0.0.0', '::', 'fe80::1%eth0', 'localhost', 'web-1.internal', 'my_app'])(
    'may be %s',
    (host) => {
      expect(readSettings({ HOST: host }).host).toBe(host);
    },
  );

  it.each(['nosuch host', '127.0.0.1:80', '[::1]', '256.0.0.1', '10.0', 'http://localhost'])(
    'is never %s',
    (host) => {
      expect(() => readSettings({ HOST: host })).toThrow(
        'HOST: expected an IP address or host name of this machine, without a port,',
      );
    },
  );
});

it.each([
  ['others can read', 0o755, 0o644, ['PORT', 'LINK_SECRET'], true],
  ['others can read, without a secret', 0o755, 0o644, ['PORT', 'LINK_SECRET_FILE'], false],
  ['only the group can read', 0o755, 0o640, ['LINK_SECRET'], false],
  ['is in a folder that others cannot enter', 0o700, 0o644, ['LINK_SECRET'], false],
])('a file of settings that %s is reported only if it exposes a secret', (...sample) => {
  const [, folderMode, mode, names, isReported] = sample;
  const folder = mkdtempSync(join(tmpdir(), 'frontage-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, '.env');
  writeFileSync(file, '');
  chmodSync(folder, folderMode);
  chmodSync(file, mode);
  expect(listExposedSecretNotices(file, names)).toEqual(
    isReported
      ? [expect.stringContaining(`can read ${file}, which contains LINK_SECRET. Run chmod 600`)]
      : [],
  );
});

describe('a mail address', () => {
  const otherSettings = { SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: 'desk@example.com' };

  it.each([
    ['MAIL_FROM', 'Bayline, Inc. <desk@example.com>'],
    ['LEADS_TO', 'a@example.com, "Reyes, Dana" <dana@example.com>'],
    ['ALERTS_TO', 'a@example.com,b@example.com'],
  ])('in %s may be %s', (name, value) => {
    expect(() => readSettings({ ...otherSettings, [name]: value })).not.toThrow();
  });

  it.each([
    ['MAIL_FROM', 'desk@'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['LEADS_TO', 'a b@example.com'],
    ['LEADS_TO', 'a@example.com,'],
    ['ALERTS_TO', 'ops @example.com; b@example.com'],
    ['ALERTS_TO', '@example.com'],
  ])('in %s may not be %s', (name, value) => {
    expect(() => readSettings({ ...otherSettings, [name]: value })).toThrow(
      new RegExp(`^${name}: expected (?:an|one or more) email address`),
    );
  });
});

describe('WEBHOOK_SECRET', () => {
  const webhookSettings = { WEBHOOK_URL: 'https://example.com/hook' };

  it('is rejected with a command that generates a valid secret', () => {
    let message = '';
    try {
      readSettings({ ...webhookSettings, WEBHOOK_SECRET: 'secret' });
    } catch (error) {
      ({ message } = error as SettingsError);
    }
    const [, command = ''] = /such as the output of (.+)\.$/.exec(message) ?? [];
    const secret = execSync(command, { encoding: 'utf8' }).trim();
    expect(readSettings({ ...webhookSettings, WEBHOOK_SECRET: secret }).webhookSecret).toBe(secret);
  });

  it.each(['A'.repeat(21), '='.repeat(24), `AAAA=${'A'.repeat(20)}`, `${'A'.repeat(24)}===`])(
    'is refused if it is not base64 of at least 16 bytes: %s',
    (text) => {
      expect(() => readSettings({ ...webhookSettings, WEBHOOK_SECRET: `whsec_${text}` })).toThrow(
        /^WEBHOOK_SECRET: expected a Standard Webhooks secret/,
      );
    },
  );
});

describe('a path that a shell would expand', () => {
  it.each([
    ['DATABASE_URL', 'file:~/frontage.db'],
    ['DATABASE_URL', 'file:$HOME/frontage.db'],
    ['OUT_DIR', '~/build'],
    ['OUT_DIR', '${HOME}/build'],
    ['REGISTRY_DIR', '$HOME/registry'],
  ])('is rejected: %s=%s', (name, path) => {
    expect(() => readSettings({ [name]: path })).toThrow(
      new RegExp(
        `^${name}: expected .*write the whole path, because ~ and \\$NAME are not expanded`,
      ),
    );
  });

  it('is distinguished from a tilde or dollar sign in a name', () => {
    const paths = { REGISTRY_DIR: 'registry~', OUT_DIR: 'build$', DATABASE_URL: 'file:./a~b.db' };
    expect(Object.values(readSettings(paths))).toEqual(
      expect.arrayContaining(Object.values(paths)),
    );
  });
});

describe('a random text', () => {
  it.each(settingNames)('for %s is accepted, or rejected with the name of the setting', (name) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.constantFrom(
            'mail.example.com',
            'smtp://user:pa#ss@mail.example.com:587',
            'smtp:',
            '[:',
          ),
        ),
        (text) => {
          try {
            readSettings({ [name]: text });
          } catch (error) {
            expect(error).toBeInstanceOf(SettingsError);
            expect((error as Error).message).toContain(name);
          }
        },
      ),
      createPropertyParameters(50),
    );
  });
});

describe('.env', () => {
  /** The LOG_LEVEL that a program reads from this file and its environment, or its error. */
  function read(
    text: string | Buffer | undefined,
    environment: Readonly<Record<string, string>> = {},
  ): string {
    const folder = mkdtempSync(join(tmpdir(), 'frontage-env-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    if (text === undefined) mkdirSync(join(folder, '.env'));
    else writeFileSync(join(folder, '.env'), text);
    const program = `import(${JSON.stringify(resolve('src/environment.js'))})
      .then(({ readEnvironment, readSetting }) =>
        console.log(readSetting(readEnvironment(), 'LOG_LEVEL')))
      .catch(({ name, message }) => console.log(message));`;
    const { LOG_LEVEL: _, ...env } = process.env;
    writeFileSync(join(folder, 'level'), 'debug');
    const { stdout } = spawnSync(process.execPath, ['-e', program], {
      cwd: folder,
      env: { ...env, ...environment },
    });
    return stdout.toString().trim();
  }

  it.each([
    ['# settings\n\nexport LOG_LEVEL = warn # why\n', 'warn'],
    ['MAIL_FROM="Bayline\n<a@b.example>"\r\nLOG_LEVEL=\'warn\'\r\n', 'warn'],
    ['\uFEFFLOG_LEVEL=warn\n', 'warn'],
    ['LOG_LEVEL=', 'undefined'],
    [
      'LOG_LEVEL=warn\n# again\nexport LOG_LEVEL = info\n',
      '.env:3: LOG_LEVEL is already set on line 1. Remove one of the two lines.',
    ],
    [
      Buffer.from('PORT=80\nMAIL_FROM="Käthe <a@b.example>"\n', 'latin1'),
      '.env:2: the file is not UTF-8; it may have been saved as Latin-1. Save the file as UTF-8.',
    ],
    [
      Buffer.from('\uFEFFLOG_LEVEL=warn\n', 'utf16le'),
      '.env:1: the file is UTF-16. Save the file as UTF-8.',
    ],
    ['PORT=80\nLOG_LEVEL warn\n', '.env:2: this is not a setting. Use NAME=value.'],
    [
      'PORT 80\nHOST=a\nHOST=b\nLOG_LEVEL="warn\n',
      '.env:1: this is not a setting. Use NAME=value.\n.env:3: HOST is already set on line 2. Remove one of the two lines.\n.env:4: this value has no closing quote. Add " at the end.',
    ],
    [
      'RECEIPT_SIGNING_KEY=-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\nPORT 80\n',
      '.env:1: this value spans more than one line. Put it in double quotes, or in a file whose path is in RECEIPT_SIGNING_KEY_FILE.\n.env:4: this is not a setting. Use NAME=value.',
    ],
    [
      'RECEIPT_SIGNING_KEY=-----BEGIN PRIVATE KEY-----\\nMC4C\\n-----END PRIVATE KEY-----\nPORT 80\n',
      '.env:2: this is not a setting. Use NAME=value.',
    ],
    [
      'RECEIPT_SIGNING_KEY=-----BEGIN PRIVATE KEY-----\nPORT=80\nPORT=81\n',
      '.env:1: this value spans more than one line. Put it in double quotes, or in a file whose path is in RECEIPT_SIGNING_KEY_FILE.\n.env:3: PORT is already set on line 2. Remove one of the two lines.',
    ],
    ['LOG_LEVEL="warn\nPORT=80\n', '.env:1: this value has no closing quote. Add " at the end.'],
    [
      undefined,
      '.env: the file cannot be read. Give the user that runs this program read access to it, or remove it.',
    ],
  ])(
    'is read completely, or rejected if a line or the file would be skipped: %j',
    (text, result) => {
      expect(read(text)).toBe(result);
    },
  );

  const bothSetError = 'LOG_LEVEL_FILE: LOG_LEVEL is also set. Set only one of them.';

  it.each([
    ['LOG_LEVEL=warn', { LOG_LEVEL: 'info' }, 'info'],
    ['LOG_LEVEL=warn', { LOG_LEVEL_FILE: 'level' }, 'debug'],
    ['LOG_LEVEL_FILE=level', { LOG_LEVEL: 'info' }, 'info'],
    ['LOG_LEVEL_FILE=level', { LOG_LEVEL_FILE: 'none' }, 'LOG_LEVEL_FILE: the file cannot be read'],
    [
      'LOG_LEVEL_FILE=~/level',
      {},
      '/~/level cannot be read. Use the path of a readable file; ~ and $NAME are not expanded.',
    ],
    ['LOG_LEVEL_FILE=level', { LOG_LEVEL: '' }, 'undefined'],
    ['LOG_LEVEL_FILE=level\nLOG_LEVEL=warn', {}, bothSetError],
    ['PORT=80', { LOG_LEVEL: 'info', LOG_LEVEL_FILE: 'level' }, bothSetError],
    ['LOG_LEVEL=warn\nLOG_LEVEL_FILE=level', { LOG_LEVEL: 'info' }, 'info'],
  ])('is overridden by the environment: %j with %j', (text, environment, result) => {
    expect(read(text, environment)).toContain(result);
  });
});

describe('a misspelled setting', () => {
  it.each([
    ['ALERT_TO', 'ALERTS_TO'],
    ['RATE_LIMIT_READ', 'RATE_LIMIT_READS'],
    ['RATELIMIT_WRITES', 'RATE_LIMIT_WRITES'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['site_url', 'SITE_URL'],
    ['SMTP_URL_FLIE', 'SMTP_URL_FILE'],
    ['PROT', 'PORT'],
    ['prot', 'PORT'],
    ['PORTT', 'PORT'],
    ['port', 'PORT'],
    ['HSOT', 'HOST'],
  ])('is reported with the correct name: %s', (name, intendedName) => {
    expect(findMisspelledSettings({ [name]: 'x' })).toEqual([
      `${name} is not a setting and has no effect. Did you mean ${intendedName}?`,
    ]);
  });

  it('is not confused with ordinary environment variables or valid settings', () => {
    const ordinaryNames = [
      'HOME',
      'HOSTNAME',
      'PATH',
      'PWD',
      'USER',
      'LANG',
      'NODE_ENV',
      'SSH_TTY',
      'MAIL',
      'PORTS',
      'POST',
      'HOSTS',
      'HOSTTYPE',
      'TERM',
      'SHELL',
      'SHLVL',
      'LOGNAME',
      'TZ',
      'TMPDIR',
      'EDITOR',
      'PAGER',
      'DISPLAY',
      'OLDPWD',
      'LS_COLORS',
      'LC_ALL',
      'SUDO_USER',
      'INVOCATION_ID',
      'JOURNAL_STREAM',
      'SYSTEMD_EXEC_PID',
      'NOTIFY_SOCKET',
      'WATCHDOG_USEC',
      'LISTEN_FDS',
      'STATE_DIRECTORY',
      'CACHE_DIRECTORY',
      'LOGS_DIRECTORY',
      'RUNTIME_DIRECTORY',
      'CREDENTIALS_DIRECTORY',
      'container',
      'NODE_VERSION',
      'YARN_VERSION',
      'NODE_OPTIONS',
      'NODE_PATH',
      'PM2_HOME',
      'XDG_SESSION_ID',
      'XDG_RUNTIME_DIR',
      'DBUS_SESSION_BUS_ADDRESS',
      'KUBERNETES_PORT',
      'KUBERNETES_SERVICE_HOST',
      'KUBERNETES_SERVICE_PORT',
      'INIT_CWD',
      'COLOR',
    ];
    for (const name of [
      ...ordinaryNames,
      ...settingNames,
      ...settingNames.map((setting) => `${setting}_FILE`),
    ])
      expect(findMisspelledSettings({ [name]: 'x' }), name).toEqual([]);
    expect(findMisspelledSettings({ ALERT_TO: '' })).toEqual([]);
  });
});
