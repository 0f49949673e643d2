// Runs one benchmark in a separate process (node --expose-gc run-entry.mjs FILE) and prints the results.
import { pathToFileURL } from 'node:url';
import { bytesEach, rate, yardstick } from './measure.mjs';

const { run } = await import(pathToFileURL(process.argv[2]));
const before = yardstick();
const measured = await run({ rate, bytesEach });
// Other load on the machine slows both the benchmark and the yardstick; the mean of the yardstick before and
// after follows that.
console.log(JSON.stringify({ yardstick: (before + yardstick()) / 2, ...measured }));
