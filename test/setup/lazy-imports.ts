// The modules that the program imports at first use. Vitest rejects an import that is still under
// way when a test file ends, and the worker reuses the rejected module for the files after it.
import '@libsql/client/http';
import 'ical-generator';
import 'nodemailer';
import '../../src/a2a/endpoint.ts';
import '../../src/a2a/push-notification.ts';
import '../../src/mcp/agent-server.ts';
import '../../src/mcp/index.ts';
