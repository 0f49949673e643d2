// Locks a data directory, prints that, and holds the lock until it is killed. Runs from the build: the lock
// is between processes, and a process that is killed cannot be a thread of the test runner.
import { once } from 'node:events';
import { openDataDirectory } from '../../../packages/sim/dist/apiserver/index.js';

const [directory] = process.argv.slice(2);
// All processes start at the same instant, given by the test.
process.stdout.write('ready\n');
await once(process.stdin, 'data');
try {
  await openDataDirectory(directory);
  process.stdout.write(`held ${process.pid}\n`);
} catch (error) {
  process.stdout.write(`refused ${error.message}\n`);
  process.exit(1);
}
setInterval(() => {}, 1_000_000);
