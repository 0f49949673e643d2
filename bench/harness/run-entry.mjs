// Runs one bench in a process of its own (node --expose-gc run-entry.mjs FILE) and prints what it measured.
import { pathToFileURL } from 'node:url';
import { bytesEach, rate, yardstick } from './measure.mjs';

const { run } = await import(pathToFileURL(process.argv[2]));
const before = yardstick();
const measured = await run({ rate, bytesEach });
// Other work on the machine slows both; the mean of before and after follows that.
console.log(JSON.stringify({ yardstick: (before + yardstick()) / 2, ...measured }));
