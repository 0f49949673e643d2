import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startControlPlane } from '@karpenter/testkit/control-plane';
import { controlPlaneBinary } from '../../scripts/control-plane.mjs';

const serve = fileURLToPath(new URL('./serve.mjs', import.meta.url));

/** Resident memory of processes, in MiB. */
function residentMiB(pids) {
  const kib = pids.map(
    (pid) => /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0,
  );
  return Math.round(kib.reduce((sum, each) => sum + Number(each), 0) / 1024);
}

async function embedded() {
  const child = fork(serve, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [connection] = await once(child, 'message');
  return {
    ...connection,
    memory: () => residentMiB([child.pid]),
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

/** etcd and kube-apiserver, plus what the control plane needs to accept pods. */
async function real() {
  const plane = await startControlPlane({ components: ['kube-controller-manager'] });
  const pids = plane.programs.filter(({ name }) => name !== 'kube-controller-manager').map(({ pid }) => pid);
  return {
    url: plane.url,
    caPem: plane.caPem,
    token: plane.token,
    memory: () => residentMiB(pids),
    stop: plane.stop,
  };
}

/** The servers to measure by name; the real one only if it has been built. */
export const servers = controlPlaneBinary().exists ? { embedded, real } : { embedded };
