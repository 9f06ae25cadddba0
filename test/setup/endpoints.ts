// The program loads these at their first request. When a test file ends meanwhile, its worker keeps
// the broken load for the files that follow.
import '../../src/a2a/endpoint.ts';
import '../../src/mcp/agent-server.ts';
import '../../src/mcp/index.ts';
