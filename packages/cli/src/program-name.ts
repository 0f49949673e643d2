import { basename } from 'node:path';

/** How the user calls the program: kubectl runs a file `kubectl-karpenter` as `kubectl karpenter`. */
export function programName(file: string | undefined): string {
  return basename(file ?? '', '.mjs') === 'kubectl-karpenter' ? 'kubectl karpenter' : 'karpenter';
}
