import { createServer } from 'node:http';

// A bare Node server that answers every request except long polls, which it keeps open.

createServer((request, response) => {
  if (!request.url!.includes('wait=')) response.end('{}');
}).listen(Number(process.env['PORT']), '127.0.0.1', () => {
  process.stdout.write('Listening at http\n');
});
