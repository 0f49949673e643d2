#!/usr/bin/env node
// The command line, as one bundle: `npm run bundle` builds it from here.
import { main } from '../main.ts';
import { programName } from '../program-name.ts';

const code = await main(process.argv.slice(2), undefined, programName(process.argv[1]));
// Work that a failed command abandoned, such as that of a leader without its lease, must not keep the process alive.
if (code !== 0) process.exit(code);
