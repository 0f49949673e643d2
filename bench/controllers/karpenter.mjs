import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { kinds } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { startKubelets } from '@karpenter/sim';
import { definition, kwokNodeClass, kwokNodePool, nodeClasses } from './kwok-manifests.mjs';
import { kwokInstanceTypes } from './kwok-types.mjs';

/** Karpenter's program with its provider for KWOK; simulated kubelets adopt the Nodes that the provider creates. */
export async function startKarpenter({ plane, client, caches, karpenter }) {
  await client.create(kinds.customResourceDefinition, definition);
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-kwok-'));
  const types = join(directory, 'instance-types.json');
  writeFileSync(types, JSON.stringify(kwokInstanceTypes()));
  const stopKubelets = adoptNodes({ client, caches });
  const child = spawn(karpenter, [], {
    env: environment({ kubeconfig: plane.kubeconfigPath, types }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => log.push(parsed(line)));
  const exited = once(child, 'exit');
  return {
    pid: child.pid,
    log,
    nodePool: kwokNodePool,
    createNodeClass: () => client.create(nodeClasses, kwokNodeClass),
    moreFacts: async () => ({}),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await stopKubelets();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** As Karpenter's chart sets it, without leader election and on free ports. */
function environment({ kubeconfig, types }) {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    KUBECONFIG: kubeconfig,
    INSTANCE_TYPES_FILE_PATH: types,
    KUBERNETES_MIN_VERSION: '1.19.0-0',
    SYSTEM_NAMESPACE: 'kube-system',
    DISABLE_LEADER_ELECTION: 'true',
    METRICS_PORT: '0',
    HEALTH_PROBE_PORT: '0',
  };
}

/** Lines that are not JSON, such as a stack trace of Go, count as errors. */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { level: 'ERROR', message: line };
  }
}

function adoptNodes({ client, caches }) {
  const nodes = caches.of(kinds.node);
  const kubelets = startKubelets({ client, clock: systemClock, caches });
  const stop = nodes.subscribe(({ type, object: { metadata, spec, status } }) => {
    const { name } = metadata;
    if (type === 'deleted') kubelets.fleet.terminate(name);
    else if (!kubelets.fleet.has(name)) {
      const { capacity = {}, allocatable = {} } = status ?? {};
      kubelets.fleet.start({
        name,
        providerID: spec.providerID,
        capacity: { ...allocatable, ...capacity, ...allocatable },
        allocatable,
        boot: { register: 0, ready: 0 },
      });
    }
  });
  return async () => {
    stop();
    await kubelets.stop();
  };
}
