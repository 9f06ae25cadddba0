import { createServer } from 'node:http';

// Node’s own server without a program: it answers every request but those that wait, which it keeps
// open.

createServer((request, response) => {
  if (!request.url!.includes('wait=')) response.end('{}');
}).listen(Number(process.env['PORT']), '127.0.0.1', () => {
  process.stdout.write('It listens at http\n');
});
