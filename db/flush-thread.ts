import { fdatasyncSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

// A thread that repeatedly flushes a file to disk until the thread is terminated.

const PAUSE_MS = 50;

if (!parentPort) throw new Error('This module must run in a worker thread.');
const file = openSync(workerData as string, 'r+');
parentPort.postMessage('open');
setInterval(() => fdatasyncSync(file), PAUSE_MS);
