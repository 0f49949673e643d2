import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ControlPlaneConnection } from '@karpenter/testkit/control-plane';
import { repository } from '../docs/markdown-pages.ts';
import type { PageShell } from '../walkthroughs/world.ts';

/** A shell in the checkout with `kubectl` and the kubeconfig of a control plane, as the pages of walkthroughs expect it. */
export function pageShell({ binary, kubeconfigPath }: ControlPlaneConnection): PageShell {
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-shell-'));
  const kubectl = join(directory, 'kubectl');
  writeFileSync(kubectl, `#!/bin/sh\nexec '${binary}' kubectl "$@"\n`);
  chmodSync(kubectl, 0o755);
  const env = {
    PATH: [directory, process.env['PATH']].join(delimiter),
    HOME: process.env['HOME'],
    KUBECONFIG: kubeconfigPath,
  };
  const watches = new Set<() => void>();
  return {
    async run(line) {
      const child = spawn('sh', ['-c', line], {
        cwd: repository,
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = new Promise<number | null>((resolve, reject) => {
        child.on('error', reject).on('close', (code) => resolve(code));
      });
      const said = Promise.all([text(child.stdout), text(child.stderr)]);
      if (isWatch(line)) {
        watches.add(() => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM'));
        return '';
      }
      const [[out, err], code] = await Promise.all([said, ended]);
      if (code !== 0) throw new Error(`"${line}" of the page exits with ${code}: ${err}${out}`);
      return out;
    },
    close() {
      for (const stop of watches) stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A watch goes on until the user presses Ctrl-C. */
function isWatch(line: string): boolean {
  return line.includes('--watch');
}
