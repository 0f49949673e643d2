#!/usr/bin/env node
/** Installs moto, an AWS mock server, for the aws-wire tests. */
import { runScript } from './go-programs.mjs';
import { installForPython, pythonWith } from './python-programs.mjs';

const HELP = `usage: npm run moto [-- --path]

Installs the moto server that the tests of the AWS wire talk to and prints the path of the Python that runs it.
The first time takes about a minute; later calls return at once.

  --path   print where that Python belongs, install nothing; exit 1 when it is not there
  --help   print this text
`;

const version = '5.2.5';
const program = { name: 'moto', command: 'moto', version, requirement: `moto[server]==${version}` };

export const motoPython = () => pythonWith(program);

export const installMoto = () => installForPython(program);

await runScript({ url: import.meta.url, program, help: HELP, find: motoPython, get: installMoto });
