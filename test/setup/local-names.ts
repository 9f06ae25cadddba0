import dns from 'node:dns';

/*
 * Names below localhost are this machine (RFC 6761 section 6.3), which Node leaves to the system’s
 * resolver. libsql-server tells its databases apart by them.
 */
const lookup = dns.lookup as (name: string, ...rest: unknown[]) => void;
dns.lookup = ((name: string, ...rest: unknown[]) =>
  lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest)) as typeof dns.lookup;
