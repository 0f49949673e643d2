import { spawn } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ControlPlaneClient } from '@karpenter/testkit/control-plane';
import { codeBlocks, commandsOf, markdownPage, repository } from '../docs/markdown-pages.ts';
import { helmBinary } from './helm.ts';

/** The shell blocks of a page whose commands need a cluster and nothing of AWS, in order. */
export function clusterSteps(path: string): readonly string[] {
  return codeBlocks(markdownPage(path), 'sh').filter((block) =>
    commandsOf(block).every((command) => /^(?:helm|kubectl) /.test(command)),
  );
}

export interface StepRunner {
  /** Runs a block as a reader would, in a checkout; throws with the output if a command fails. */
  run(block: string): Promise<string>;
  close(): Promise<void>;
}

/** Runs blocks with the Helm and the kubectl of the tests, in a directory with the folders of the repository. */
export async function stepRunner({ binary, kubeconfigPath }: ControlPlaneClient): Promise<StepRunner> {
  const directory = await mkdtemp(join(tmpdir(), 'documented-steps-'));
  for (const folder of ['charts', 'docs', 'deploy'])
    await symlink(join(repository, folder), join(directory, folder));
  await symlink(await helmBinary(), join(directory, 'helm'));
  await writeFile(join(directory, 'kubectl'), `#!/bin/sh\nexec ${binary} kubectl "$@"\n`, { mode: 0o755 });
  const env = {
    PATH: `${directory}:${process.env['PATH']}`,
    HOME: directory,
    KUBECONFIG: kubeconfigPath,
    CLUSTER_NAME: 'dev',
    AWS_REGION: 'us-west-2',
    IMAGE_REPOSITORY: 'registry.example/karpenter-ts/controller',
  };
  return {
    async run(block) {
      const script = `set -euo pipefail\n${block}`;
      const child = spawn('bash', ['-c', script], { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = new Promise<number>((resolve, reject) => {
        child.on('error', reject).on('close', (code) => resolve(code ?? -1));
      });
      const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
      if (code !== 0) throw new Error(`${block}ended with ${code}: ${stderr.trim()}\n${stdout.trim()}`);
      return stdout;
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}
