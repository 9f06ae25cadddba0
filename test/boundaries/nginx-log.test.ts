import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startNginx } from '../journeys/nginx.ts';
import { ask } from '../server/serve-build.ts';
import { findProgram } from '../setup/programs.ts';

it.runIf(findProgram('nginx'))(
  'the documented nginx logs no URL with a secret, even while the server is down',
  async () => {
    const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const nginx = await startNginx((server.address() as AddressInfo).port);
    const paths = ['/receipt/secret', '/answer/secret', '/api/lead/secret', '/?receipt=secret'];
    const askAll = async () => {
      const headers = { referer: 'https://example.com/receipt/secret' };
      const answers = await Promise.all(paths.map((path) => ask(nginx.port, path, { headers })));
      return answers.map(({ status }) => status);
    };
    let logs: string;
    try {
      expect(await askAll()).toEqual([200, 200, 200, 200]);
      server.closeAllConnections();
      server.close();
      expect(await askAll()).toContain(503);
    } finally {
      server.close();
      logs = await nginx.stop();
    }
    expect(logs).not.toContain('secret');
  },
);
