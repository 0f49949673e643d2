import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface KubectlResult {
  /** The exit code; -1 when a signal ended kubectl. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KubectlCall {
  readonly binary: string;
  readonly kubeconfigPath: string;
  /** Where kubectl keeps its discovery cache and looks for preferences, instead of the user's home. */
  readonly home: string;
  readonly args: readonly string[];
  /** What kubectl reads from standard input, as in `apply -f -`. */
  readonly input?: string | undefined;
  /** What `kubectl edit` calls with the name of the file to change, as in `sed -i s/a/b/`. */
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
  // kubectl may exit without reading its input; its exit code tells, the broken pipe does not matter.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve(code ?? -1));
  });
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
