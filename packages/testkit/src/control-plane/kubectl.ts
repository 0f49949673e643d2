import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface KubectlResult {
  /** Exit code of kubectl; -1 if a signal ended it. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KubectlCall {
  readonly binary: string;
  readonly kubeconfigPath: string;
  /** Directory for kubectl's discovery cache and preferences, instead of the user's home. */
  readonly home: string;
  readonly args: readonly string[];
  /** Standard input of kubectl, as for `apply -f -`. */
  readonly input?: string | undefined;
  /** The editor that `kubectl edit` runs on the file, such as `sed -i s/a/b/`. */
  readonly editor?: string | undefined;
}

export async function runKubectl({
  binary,
  kubeconfigPath,
  home,
  args,
  input,
  editor,
}: KubectlCall): Promise<KubectlResult> {
  const child = spawn(binary, ['kubectl', ...args], {
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      KUBECONFIG: kubeconfigPath,
      ...(editor === undefined ? {} : { KUBE_EDITOR: editor }),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // kubectl may exit without reading its input. Its exit code matters, the broken pipe does not.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve(code ?? -1));
  });
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
