#!/usr/bin/env node
/** Installs the AWS CLI for the aws-wire tests. */
import { runScript } from './go-programs.mjs';
import { installForPython, pythonWith } from './python-programs.mjs';

const HELP = `usage: npm run aws-cli [-- --path]

Installs the AWS CLI that the tests of the AWS wire run and prints the path of the Python that runs it
(PYTHON -m awscli). The first time takes about a minute; later calls return at once.

  --path   print where that Python belongs, install nothing; exit 1 when it is not there
  --help   print this text
`;

const version = '1.46.2';
const program = { name: 'the AWS CLI', command: 'aws-cli', version, requirement: `awscli==${version}` };

export const awsCliPython = () => pythonWith(program);

export const installAwsCli = () => installForPython(program);

await runScript({ url: import.meta.url, program, help: HELP, find: awsCliPython, get: installAwsCli });
