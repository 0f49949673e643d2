import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CodedError } from '@karpenter/core/errors';

// This file runs from src/ and from dist/, which are equally deep in the repository.
const script = fileURLToPath(new URL('../../../../scripts/control-plane.mjs', import.meta.url));

/** Path of the binary that `npm run control-plane` builds; throws if it does not exist yet. */
export function builtBinary(): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, '--path'], (error, stdout) => {
      if (error === null) resolve(stdout.trim());
      else reject(notBuilt(error));
    });
  });
}

function notBuilt(cause: Error): CodedError {
  const message = 'cannot start a control plane: its programs are not built; run npm run control-plane first';
  return new CodedError('control-plane-not-built', message, { cause });
}
