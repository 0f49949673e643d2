// Scripts and benchmarks are plain JavaScript, and most of them run rarely: a name that a package no longer has would
// break them unnoticed. The compiler knows all names; the other errors that it reports are about types, which these
// programs do not declare.
import { join } from 'node:path';
import { root, runTool } from './prepare.mjs';

/** Errors about names: of modules, exports, variables, properties and methods, and of options in object literals. */
const aboutNames = new Set([
  ...['TS2304', 'TS2552', 'TS18004'],
  ...['TS2305', 'TS2307', 'TS2613', 'TS2614', 'TS2724'],
  ...['TS2339', 'TS2551', 'TS2353', 'TS2561'],
]);

/** The lines of the compiler's output that report a name which does not exist. */
export function unresolvedNames(output) {
  return output
    .split('\n')
    .filter((line) => aboutNames.has(/^\S+\(\d+,\d+\): error (TS\d+): /.exec(line)?.[1] ?? ''));
}

/** Prints every unresolved name, and returns 0 if there is none. The packages must be built. */
export function checkProgramNames() {
  const args = ['--project', join(root, 'tsconfig.programs.json'), '--pretty', 'false'];
  const { stdout, status } = runTool('tsc', args, { stdio: ['ignore', 'pipe', 2], encoding: 'utf8' });
  const found = unresolvedNames(stdout);
  for (const line of found) console.error(line);
  // A compiler that fails without any report has not looked at the programs.
  return found.length > 0 || (status !== 0 && !stdout.includes('error TS')) ? 1 : 0;
}
