// The modules that the program imports on first use. Vitest rejects an import that is unfinished
// when a test file ends, and the worker then reuses the rejected module in later files.
import '@libsql/client/http';
import 'ical-generator';
import 'nodemailer';
import '../../src/a2a/endpoint.ts';
import '../../src/a2a/push-notification.ts';
import '../../src/mcp/index.ts';
