import { networkMcp } from '../../transports/mcp/mounts.ts';
import { mountServer } from '../_mcp.ts';

export const prerender = false;

export const ALL = mountServer(networkMcp);
