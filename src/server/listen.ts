import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { networkOf } from '../operation/network-of-address.ts';

/** An error that the operator can fix; its message is one sentence that says how. */
export class StartError extends Error {}

const MS_PER_SECOND = 1000;

/** Address of the metrics: only programs on this machine can reach them. */
export const METRICS_HOST = '127.0.0.1';

/** A setting for a port that the server opens. */
type PortSetting = 'PORT' | 'METRICS_PORT';

const sentences: Readonly<
  Record<string, (host: string, port: number, setting: PortSetting) => string>
> = {
  EADDRINUSE: (_, port, setting) =>
    `${setting} ${port} is in use by another program. Stop it, or set ${setting} to a free port.`,
  EACCES: (_, port, setting) =>
    `This user may not open ${setting} ${port}. Set ${setting} to 1024 or above.`,
  EADDRNOTAVAIL: (host) =>
    `HOST ${host} is not an address of this machine. Set HOST to one that is, for example 127.0.0.1.`,
  ENOTFOUND: (host) =>
    `HOST ${host} cannot be resolved. Set HOST to an address of this machine, for example 127.0.0.1.`,
};

/** Opens the port of a server. @throws {StartError} when the address is unavailable */
export async function openPort(
  server: NetServer,
  host: string,
  port: number,
  setting: PortSetting,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const sentence = sentences[error.code ?? ''];
      reject(sentence ? new StartError(sentence(host, port, setting)) : error);
    });
    server.listen(port, host, resolve);
  });
}

/**
 * Checks that a port can be opened, before work that would otherwise be pointless.
 * @throws {StartError} when the address is unavailable
 */
export async function requireFreePort(
  host: string,
  port: number,
  setting: PortSetting,
): Promise<void> {
  const server = createNetServer();
  await openPort(server, host, port, setting);
  await new Promise((resolve) => server.close(resolve));
}

const BAD_REQUEST_STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Malformed HTTP gets only a status line because there is no request to answer. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(
    `HTTP/1.1 ${BAD_REQUEST_STATUSES[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

export interface ConnectionLimits {
  /**
   * Time in ms after which a connection without traffic is closed, even if the client never reads.
   */
  idleMs: number;
  /** Maximum number of connections; further connections are closed immediately. */
  maxConnections: number;
  /** Maximum number of connections from one IPv4 address or IPv6 /64 network. */
  maxConnectionsPerNetwork: number;
}

/**
 * Default limits; the idle timeout is longer than any request can wait. Behind a proxy, all
 * connections come from the proxy.
 */
export const createConnectionLimits = (trustProxy: number): ConnectionLimits => ({
  idleMs: 75 * MS_PER_SECOND,
  maxConnections: 4_096,
  maxConnectionsPerNetwork: trustProxy ? Infinity : 256,
});

/** Closes each new connection from a network that has reached the limit. */
function limitConnectionsPerNetwork(server: Server, limit: number): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = counts.get(network) ?? 0;
    if (count >= limit) {
      socket.destroy();
      return;
    }
    counts.set(network, count + 1);
    socket.once('close', () => {
      const rest = counts.get(network)! - 1;
      if (rest) counts.set(network, rest);
      else counts.delete(network);
    });
  });
}

/** Maximum number of unanswered requests on a connection; browsers and proxies do not pipeline. */
export const MAX_PIPELINED = 64;

/**
 * Closes a connection with too many unanswered requests. Node calls the listener for each request
 * in the received bytes, thousands of them, and keeps their responses until the client reads them.
 */
function limitPipelinedRequests(listener: RequestListener): RequestListener {
  const unansweredCounts = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const count = (unansweredCounts.get(socket) ?? 0) + 1;
    if (count > MAX_PIPELINED) {
      socket.destroy();
      return;
    }
    unansweredCounts.set(socket, count);
    response.once('close', () => unansweredCounts.set(socket, unansweredCounts.get(socket)! - 1));
    listener(request, response);
  };
}

/** True for a host in a URL that only programs on this machine can reach. */
export const isLoopbackHost = (host: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(host);

/**
 * The origins at which this machine reaches a server that listens on `host`: the most readable
 * first, the numeric one last.
 */
export function listOrigins(host: string, port: number): string[] {
  const reachableHost = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const urlHost = reachableHost.includes(':') ? `[${reachableHost}]` : reachableHost;
  return [...(isLoopbackHost(urlHost) ? ['localhost'] : []), urlHost].map(
    (name) => new URL(`http://${name}:${port}`).origin,
  );
}

/** A listening server. @throws {StartError} when the address is unavailable */
export async function listen(
  listener: RequestListener,
  host: string,
  port: number,
  { idleMs, maxConnections, maxConnectionsPerNetwork } = createConnectionLimits(0),
): Promise<Server> {
  const server = createServer(
    {
      // Keep idle connections longer than a proxy does (nginx: 60 s), so that the proxy never uses
      // a connection that is being closed.
      keepAliveTimeout: 65 * MS_PER_SECOND,
      headersTimeout: 15 * MS_PER_SECOND,
      requestTimeout: 60 * MS_PER_SECOND,
      connectionsCheckingInterval: 5 * MS_PER_SECOND,
    },
    limitPipelinedRequests(listener),
  );
  server.timeout = idleMs;
  server.maxConnections = maxConnections;
  limitConnectionsPerNetwork(server, maxConnectionsPerNetwork);
  server.on('clientError', refuseConnection);
  await openPort(server, host, port, 'PORT');
  return server;
}

/**
 * Stops accepting connections, lets requests in flight finish, and aborts the rest after `graceMs`.
 */
export async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that has just finished its response becomes idle after the first sweep.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const end = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}
