import { ClusterState } from '@karpenter/core/state';
import { table } from './harness/compare.mjs';

// The state of a cluster of 1,000 nodes and 20,000 pods: events per second, and the cost of a snapshot after
// none, one or a thousand of them.

const nodeCount = 1_000;
const podCount = 20_000;
const pendingCount = 1_000;
let version = 0;

const nextVersion = () => String(++version);
const nodeName = (index) => `ip-10-0-${index >> 8}-${index & 255}`;

function nodeObject(index) {
  const name = nodeName(index);
  return {
    metadata: {
      name,
      uid: `node-${index}`,
      resourceVersion: nextVersion(),
      labels: {
        'karpenter.sh/nodepool': `pool-${index % 5}`,
        'karpenter.sh/registered': 'true',
        'karpenter.sh/initialized': 'true',
        'karpenter.sh/capacity-type': index % 3 === 0 ? 'spot' : 'on-demand',
        'node.kubernetes.io/instance-type': 'm5.4xlarge',
        'topology.kubernetes.io/zone': `zone-${index % 3}`,
        'kubernetes.io/hostname': name,
      },
    },
    spec: { providerID: `aws:///zone-${index % 3}/i-${index}` },
    status: {
      capacity: { cpu: '16', memory: '64Gi', pods: '234', 'ephemeral-storage': '100Gi' },
      allocatable: { cpu: '15890m', memory: '60Gi', pods: '234', 'ephemeral-storage': '90Gi' },
    },
  };
}

function claimObject(index) {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: `pool-${index % 5}-${index}`,
      uid: `claim-${index}`,
      resourceVersion: nextVersion(),
      labels: { 'karpenter.sh/nodepool': `pool-${index % 5}` },
    },
    spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'k', name: 'n' }, expireAfter: '720h' },
    status: { providerID: `aws:///zone-${index % 3}/i-${index}`, nodeName: nodeName(index) },
  };
}

function podObject(index, node) {
  return {
    metadata: {
      name: `app-${index % 200}-${index}`,
      namespace: `team-${index % 20}`,
      uid: `pod-${index}`,
      resourceVersion: nextVersion(),
      labels: { app: `app-${index % 200}` },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `app-${index % 200}`, controller: true },
      ],
    },
    spec: {
      ...(node !== undefined && { nodeName: nodeName(node) }),
      containers: [
        { name: 'main', resources: { requests: { cpu: '250m', memory: '512Mi' } } },
        { name: 'proxy', resources: { requests: { cpu: '50m', memory: '64Mi' } } },
      ],
    },
    status:
      node === undefined
        ? {
            phase: 'Pending',
            conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
          }
        : { phase: 'Running' },
  };
}

const applied = (kind) => (object) => ({ type: 'applied', kind, object });
const numbers = (count) => Array.from({ length: count }, (_, index) => index);

function allEvents() {
  return [
    ...numbers(nodeCount).map(nodeObject).map(applied('Node')),
    ...numbers(nodeCount).map(claimObject).map(applied('NodeClaim')),
    ...numbers(podCount)
      .map((index) => podObject(index, index % nodeCount))
      .map(applied('Pod')),
    ...numbers(pendingCount)
      .map((index) => podObject(podCount + index, undefined))
      .map(applied('Pod')),
  ];
}

function filled(events) {
  const state = new ClusterState();
  for (const event of events) state.apply(event);
  return state;
}

const milliseconds = (call) => {
  const start = process.hrtime.bigint();
  call();
  return Number(process.hrtime.bigint() - start) / 1e6;
};

/** The best and the median of several runs: other load on the machine can only slow one down. */
function times(prepare, call, rounds = 25) {
  const taken = numbers(rounds)
    .map((round) => {
      prepare(round);
      return milliseconds(call);
    })
    .sort((a, b) => a - b);
  return { best: taken[0], middle: taken[rounds >> 1] };
}

/** Each round rebinds a pod on so many nodes, so that all of them change. */
const churn = (state, count) => (round) => {
  for (const index of numbers(count)) {
    state.apply(applied('Pod')(podObject((index + round) % podCount, (index + round) % nodeCount)));
  }
};

function heapBytes(make) {
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  const kept = make();
  globalThis.gc();
  return { bytes: process.memoryUsage().heapUsed - before, kept };
}

export function run({ rate }) {
  const events = allEvents();
  const first = milliseconds(() => filled(events).snapshot(0));
  const { bytes, kept: state } = heapBytes(() => {
    const made = filled(events);
    made.snapshot(0);
    return made;
  });
  const snapshot = () => state.snapshot(0);
  const taken = {
    'nothing changed': times(() => undefined, snapshot),
    'one pod changed': times(churn(state, 1), snapshot),
    'a pod on each of 1,000 nodes changed': times(churn(state, 1_000), snapshot),
  };
  const { bytes: snapshotBytes } = heapBytes(() => {
    churn(state, 1)(0);
    return state.snapshot(0);
  });
  const { nodes, boundPods, pods, pools } = state.snapshot(0);
  return {
    exact: {
      nodes: nodes.length,
      'bound pods': boundPods.length,
      'pods to place': pods.length,
      pools: pools.size,
    },
    perSecond: {
      'events applied': rate(() => filled(events), events.length),
      'snapshots after one pod changed': 1_000 / taken['one pod changed'].best,
    },
    bytes: { 'per object in the state': bytes / events.length, 'per further snapshot': snapshotBytes },
    report: table([
      ['snapshot after', 'best ms', 'middle ms'],
      ['starting from nothing, events included', first.toFixed(2), '-'],
      ...Object.entries(taken).map(([name, { best, middle }]) => [name, best.toFixed(2), middle.toFixed(2)]),
    ]),
  };
}
