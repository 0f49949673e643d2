import { startWatchCache } from '@karpenter/kube/cache';
import { connect, kinds, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { servers } from './api-server/servers.mjs';
import { table } from './harness/compare.mjs';
import { withWorkers } from './harness/workers.mjs';

// The embedded API server beside the real kube-apiserver, through our client with 32 concurrent requests:
// time to readiness, throughput of pod writes and reads, and the cost of 1,000 nodes with 20,000 running pods
// and watchers.

const listed = 10_000;
const nodes = 1_000;
const runningPods = 20_000;
const watchers = 10;

const seconds = (since) => (performance.now() - since) / 1000;

const pod = (name, spec = {}) => ({
  metadata: { name, namespace: 'default', labels: { app: 'bench' } },
  spec: {
    containers: [
      {
        name: 'main',
        image: 'registry.example/app:1',
        resources: { requests: { cpu: '100m', memory: '128Mi' } },
      },
    ],
    // A scheduler that does not exist: only the server is measured.
    schedulerName: 'none',
    ...spec,
  },
});

const running = {
  phase: 'Running',
  podIP: '10.0.0.1',
  hostIP: '10.0.0.2',
  startTime: '2026-01-01T00:00:00Z',
  conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
  })),
  containerStatuses: [
    {
      name: 'main',
      image: 'registry.example/app:1',
      imageID: '',
      ready: true,
      restartCount: 0,
      state: { running: {} },
    },
  ],
};

const node = (name) => ({ metadata: { name }, spec: { providerID: `aws:///us-west-2a/${name}` } });

async function measure(start) {
  const begin = performance.now();
  const server = await start();
  const ready = seconds(begin);
  const config = { server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) };
  const client = connect(config, { qps: 1e6, burst: 1e6 });
  try {
    return { 'seconds to ready': ready, ...(await requests(client)), ...(await crowd(client, server)) };
  } finally {
    await client.close();
    await server.stop();
  }
}

async function requests(client) {
  const creating = performance.now();
  await withWorkers(listed, (index) => client.create(kinds.pod, pod(`listed-${index}`)));
  const creates = listed / seconds(creating);
  const getting = performance.now();
  await withWorkers(listed, (index) =>
    client.get(kinds.pod, { namespace: 'default', name: `listed-${index}` }),
  );
  const gets = listed / seconds(getting);
  const lists = [];
  for (let round = 0; round < 3; round++) {
    const listing = performance.now();
    await client.request('GET', '/api/v1/namespaces/default/pods');
    lists.push(seconds(listing));
  }
  await client.deleteAll(kinds.pod, { namespace: 'default' }, { gracePeriodSeconds: 0 });
  return { 'creates/s': creates, 'gets/s': gets, 'seconds to list 10,000 pods': Math.min(...lists) };
}

async function crowd(client, server) {
  const ended = new AbortController();
  const caches = Array.from({ length: watchers }, () =>
    startWatchCache({ client, kind: kinds.pod, clock: systemClock, signal: ended.signal }),
  );
  await withWorkers(nodes, (index) => client.create(kinds.node, node(`node-${index}`)));
  await withWorkers(runningPods, async (index) => {
    const name = `running-${index}`;
    await client.create(kinds.pod, pod(name, { nodeName: `node-${index % nodes}` }));
    await client.patch(
      kinds.pod,
      { namespace: 'default', name },
      { type: 'merge', body: { status: running } },
      { subresource: 'status' },
    );
  });
  await Promise.all(caches.map((cache) => cache.waitForSync(ended.signal)));
  const memory = server.memory();
  ended.abort();
  return { 'MiB with 1,000 nodes, 20,000 pods, 10 watchers': memory };
}

const rounded = (value) => (value < 10 ? Number(value.toFixed(3)) : Math.round(value));

export async function run() {
  const results = {};
  for (const [name, start] of Object.entries(servers)) results[name] = await measure(start);
  const { embedded } = results;
  const names = Object.keys(results);
  const rows = Object.keys(embedded).map((fact) => [
    fact,
    ...names.map((name) => String(rounded(results[name][fact]))),
  ]);
  return {
    exact: {},
    perSecond: { 'pods created': embedded['creates/s'], 'pods read': embedded['gets/s'] },
    bytes: {},
    report: table([['API server', ...names], ...rows]),
  };
}
