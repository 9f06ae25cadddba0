import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A received request. */
export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface HttpReceiver {
  url: string;
  /** All received requests, including those answered with an error. */
  requests: ReceivedRequest[];
  /** Handlers for the next requests, in order; the default response is 204. */
  handlers: ((request: IncomingMessage, response: ServerResponse) => void)[];
}

/** Starts an HTTP receiver that runs until the test ends. */
export async function startHttpReceiver(): Promise<HttpReceiver> {
  const requests: ReceivedRequest[] = [];
  const handlers: HttpReceiver['handlers'] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    try {
      for await (const chunk of request) body += String(chunk);
    } catch {
      return;
    }
    requests.push({ headers: request.headers, body });
    const next = handlers.shift();
    if (next) next(request, response);
    else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    handlers,
  };
}

/** The receiver rejects addresses that start with this. */
export const REJECTED_NAME = 'nobody@';
/** The receiver rejects addresses that start with this, but temporarily, like an unknown domain. */
export const DEFERRED_NAME = 'later@';
/**
 * For addresses that start with these, the receiver replies with an error that the address did not
 * cause.
 */
export const SERVER_FAULTS = {
  'misconfigured@': [451, '4.3.5 configuration error'],
  'relay@': [554, '5.7.1 relay access denied'],
  'policy@': [550, 'blocked by our policy'],
  'sender@': [450, '4.1.8 sender address rejected: domain not found'],
} as const;

export type MailFault = 'hang' | 'refuse' | 'busy' | 'drop';

export interface MailReceiver {
  url: string;
  /** Accepted messages. */
  mails: (Email & { envelopeTo: string[] })[];
  /** Faults for the next messages, in order. */
  faults: MailFault[];
  /** User names and passwords received. */
  logins: string[];
  /** Whether each accepted message arrived over TLS. */
  tlsFlags: boolean[];
}

export interface MailReceiverOptions {
  /** Certificate and key as PEM; without them, the server does not use TLS. */
  pem?: string;
  /** Whether TLS starts with the connection rather than by STARTTLS. */
  startsWithTls?: boolean;
  /** Whether the server supports authentication. */
  supportsLogin?: boolean;
}

/** Starts an SMTP receiver that runs until the test ends. */
export async function startMailReceiver({
  pem,
  startsWithTls = false,
  supportsLogin = false,
}: MailReceiverOptions = {}): Promise<MailReceiver> {
  const mails: MailReceiver['mails'] = [];
  const faults: MailFault[] = [];
  const logins: string[] = [];
  const tlsFlags: boolean[] = [];
  const server = new SMTPServer({
    authOptional: true,
    ...(pem && { key: pem, cert: pem }),
    secure: startsWithTls,
    disabledCommands: [...(pem ? [] : ['STARTTLS']), ...(supportsLogin ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      logins.push(`${username} ${password}`);
      callback(null, { user: username });
    },
    onRcptTo({ address }, _session, callback) {
      if (address.startsWith(REJECTED_NAME))
        callback(Object.assign(new Error('5.1.1 no such user'), { responseCode: 550 }));
      else if (address.startsWith(DEFERRED_NAME))
        callback(Object.assign(new Error('4.1.2 domain not found'), { responseCode: 450 }));
      else {
        const [, fault] =
          Object.entries(SERVER_FAULTS).find(([name]) => address.startsWith(name)) ?? [];
        callback(fault && Object.assign(new Error(fault[1]), { responseCode: fault[0] }));
      }
    },
    closeTimeout: 100,
    logger: false,
    onData(stream, session, callback) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', async () => {
        switch (faults.shift()) {
          case 'hang':
            return;
          case 'refuse':
            return callback(Object.assign(new Error('no'), { responseCode: 550 }));
          case 'busy':
            return callback(
              Object.assign(new Error('4.3.0 later, dana@example.com'), { responseCode: 451 }),
            );
          case 'drop':
            return callback(Object.assign(new Error('bye'), { responseCode: 421 }));
          case undefined:
            tlsFlags.push(session.secure);
            mails.push({
              ...(await PostalMime.parse(Buffer.concat(parts))),
              envelopeTo: session.envelope.rcptTo.map(({ address }) => address),
            });
            callback();
        }
      });
    },
  });
  server.on('error', () => undefined);
  const listeningServer = server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => listeningServer.once('listening', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  return {
    url: `${startsWithTls ? 'smtps' : 'smtp'}://${pem ? 'localhost' : '127.0.0.1'}:${(listeningServer.address() as AddressInfo).port}`,
    mails,
    faults,
    logins,
    tlsFlags,
  };
}
