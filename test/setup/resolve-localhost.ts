import dns from 'node:dns';

/**
 * Resolves names below localhost to this machine (RFC 6761 section 6.3), which Node leaves to the
 * system resolver. libsql-server selects a database by such a name in the request.
 */
const lookup = dns.lookup as (name: string, ...rest: unknown[]) => void;
dns.lookup = ((name: string, ...rest: unknown[]) =>
  lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest)) as typeof dns.lookup;
