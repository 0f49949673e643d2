import { setMaxListeners } from 'node:events';
import { CacheSet } from '@karpenter/kube/cache';
import { connect, kinds, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { startClusterControllers, startKubelets } from '@karpenter/sim';
import { startApiServer } from '@karpenter/sim/apiserver';

// A whole cluster in this process, as `karpenter dev` runs it: deployments request 20,000 pods on 1,000
// existing nodes, and every pod is created, scheduled, bound and run over HTTP. Measures CPU time, all of
// which is ours.

const nodeCount = 1_000;
const deployments = 40;
const replicas = 500;

const node = (index) => ({
  name: `node-${index}`,
  providerID: `aws:///us-west-2a/i-${index}`,
  zone: `us-west-2${'abc'[index % 3]}`,
  capacity: { cpu: '8', memory: '32Gi', pods: '58', 'ephemeral-storage': '80Gi' },
});

const deployment = (index) => {
  const labels = { app: `app-${index}` };
  return {
    metadata: { name: `app-${index}`, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'main',
              image: 'registry.example/app:1',
              resources: { requests: { cpu: '100m', memory: '128Mi' } },
            },
          ],
        },
      },
    },
  };
};

/** Resolves when so many objects of the cache match. */
function until(cache, count, isWanted) {
  const wanted = new Set();
  return new Promise((resolve) => {
    const stop = cache.subscribe(({ type, object }) => {
      if (type !== 'deleted' && isWanted(object)) wanted.add(object.metadata.uid);
      if (wanted.size >= count) {
        resolve();
        setImmediate(() => stop());
      }
    });
  });
}

const isReady = ({ status }) =>
  status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;

function stopwatch() {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { wall: (performance.now() - wall) / 1000, cpu: (user + system) / 1e6 };
  };
}

export async function run() {
  const server = await startApiServer();
  const client = connect(
    { server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) },
    { qps: 100_000, burst: 100_000 },
  );
  const ended = new AbortController();
  // Every cache adds a listener to the signal.
  setMaxListeners(0, ended.signal);
  const caches = new CacheSet({ client, clock: systemClock, signal: ended.signal });
  const controllers = startClusterControllers({ client, clock: systemClock, caches });
  const kubelets = startKubelets({ client, clock: systemClock, caches });
  const joining = stopwatch();
  for (let index = 0; index < nodeCount; index += 1) kubelets.fleet.start(node(index));
  await until(caches.of(kinds.node), nodeCount, isReady);
  const joined = joining();
  const running = stopwatch();
  for (let index = 0; index < deployments; index += 1) {
    await client.create(kinds.deployment, deployment(index));
  }
  await until(caches.of(kinds.pod), deployments * replicas, isReady);
  const ran = running();
  await kubelets.stop();
  await controllers.stop();
  ended.abort();
  await client.close();
  await server.stop();
  const pods = deployments * replicas;
  const seconds = ({ wall, cpu }) => `${wall.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU`;
  return {
    exact: {},
    perSecond: { 'pods run by second of CPU': pods / ran.cpu },
    bytes: {},
    report: `${nodeCount} nodes ready in ${seconds(joined)}; ${pods} pods running in ${seconds(ran)}`,
  };
}
