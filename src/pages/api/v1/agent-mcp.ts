import { agentMcp } from '../../../transports/mcp/agent-server.ts';
import { mountServer } from '../../_mcp.ts';

export const prerender = false;

export const ALL = mountServer(agentMcp);
