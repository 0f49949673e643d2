import {
  changes,
  frameOf,
  initialState,
  parseViewSettings,
  priceWithoutAws,
  screenOf,
  viewModel,
} from '@karpenter/cli';
import { ClusterView } from '@karpenter/core/cluster-view';
import { table } from './harness/compare.mjs';

// What a frame of `karpenter view` costs on 5,000 nodes with 100,000 pods: the rows of what changed, the sums over
// all nodes, the page on the screen and the cells that differ. A frame is drawn ten times a second at most.

const nodeCount = 5_000;
const podCount = 100_000;
const size = { columns: 200, rows: 50 };
const numbers = (count) => Array.from({ length: count }, (_, index) => index);
const applied = (kind, object) => ({ type: 'applied', kind, object });

function nodeObject(index) {
  return {
    metadata: {
      name: `ip-10-${index >> 8}-${index & 255}-1.us-west-2.compute.internal`,
      creationTimestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
      labels: {
        'karpenter.sh/nodepool': `pool-${index % 20}`,
        'karpenter.sh/capacity-type': index % 3 === 0 ? 'spot' : 'on-demand',
        'node.kubernetes.io/instance-type': 'm5.4xlarge',
        'topology.kubernetes.io/zone': 'us-west-2a',
        'topology.kubernetes.io/region': 'us-west-2',
        'kubernetes.io/os': 'linux',
      },
    },
    spec: { providerID: `aws:///us-west-2a/i-${index}` },
    status: {
      allocatable: { cpu: '15890m', memory: '60Gi', pods: '234' },
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    },
  };
}

function podObject(index, milli = 250) {
  return {
    metadata: { name: `pod-${index}`, namespace: `team-${index % 20}`, uid: `pod-${index}`, labels: {} },
    spec: {
      nodeName: nodeObject(index % nodeCount).metadata.name,
      containers: [{ name: 'main', resources: { requests: { cpu: `${milli}m`, memory: '512Mi' } } }],
    },
    status: { phase: 'Running' },
  };
}

const settings = parseViewSettings(new Map([['resources', 'cpu,memory']]), new Map(), {});

/** Draws frames one after the other, as a session does. */
class Frames {
  constructor(view, groupBy) {
    this.view = view;
    this.state = { ...initialState(settings), groupBy };
    this.frame = undefined;
  }

  draw() {
    this.view.takeChanges();
    const { lines } = screenOf({
      model: viewModel(this.view, settings),
      state: this.state,
      settings,
      paint: { palette: settings.palette, depth: 'truecolor' },
      context: { now: Date.UTC(2026, 0, 2), keptReason: () => undefined },
      size,
      isSynced: true,
      problems: [],
    });
    const next = frameOf(lines, size);
    const written = changes(this.frame, next);
    this.frame = next;
    return written.length;
  }
}

const milliseconds = (call) => {
  const start = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

function middle(rounds, call) {
  const taken = numbers(rounds)
    .map((round) => milliseconds(() => call(round)))
    .sort((a, b) => a - b);
  return taken[rounds >> 1];
}

export function run({ rate }) {
  const view = new ClusterView(priceWithoutAws);
  for (const index of numbers(nodeCount)) view.apply(applied('Node', nodeObject(index)));
  const loading = milliseconds(() => {
    for (const index of numbers(podCount)) view.apply(applied('Pod', podObject(index)));
    view.takeChanges();
  });
  const frames = new Frames(view, undefined);
  const first = frames.draw();
  const change = (count) => (round) => {
    for (const index of numbers(count)) view.apply(applied('Pod', podObject(index, 250 + (round % 7))));
    frames.draw();
  };
  const one = middle(25, change(1));
  const many = middle(25, change(1_000));
  const grouped = new Frames(view, 'nodepool');
  return {
    exact: { 'bytes of the first frame': first, nodes: view.nodes.size },
    bytes: {},
    perSecond: { 'frames after one pod changed': rate(() => change(1)(Math.floor(Math.random() * 7))) },
    report: table([
      ['5,000 nodes, 100,000 pods, 200 x 50', 'CPU ms'],
      ['all pods applied once', loading.toFixed(0)],
      ['frame after one pod changed', one.toFixed(1)],
      ['frame after 1,000 pods changed', many.toFixed(1)],
      ['frame grouped by NodePool', middle(25, () => grouped.draw()).toFixed(1)],
    ]),
  };
}
