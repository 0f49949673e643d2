import {
  BudgetLedger,
  bySavingsRatio,
  CandidateEvaluator,
  ClusterSimulation,
  candidateSteps,
  consolidate,
  PriceBook,
  poolBudgets,
  poolTotals,
  validateConsolidations,
} from '@karpenter/core/disruption';
import { ClusterState } from '@karpenter/core/state';
import { table } from './harness/compare.mjs';

// A consolidation search over 1,000 nodes, 20,000 pods and 20 NodePools that considers every node: total
// time, longest block of the event loop, and the result.

const nodeCount = 1_000;
const podCount = 20_000;
const poolCount = 20;
const zones = ['a', 'b', 'c'];
const capacityTypes = ['on-demand', 'spot'];
const at = Date.UTC(2026, 0, 10);

const numbers = (count) => Array.from({ length: count }, (_, index) => index);
const is = (key, ...values) => ({ key, operator: 'In', values });

const families = { c: [2, 0.043], m: [4, 0.049], r: [8, 0.064] };

/** 420 types in three zones, on demand and spot. */
const types = Object.entries(families).flatMap(([family, [memory, price]]) =>
  [5, 6, 7, 8].flatMap((generation) =>
    ['', 'a', 'i', 'd', 'n'].flatMap((variant, extra) =>
      [2, 4, 8, 16, 32, 64, 96].map((cpus) => {
        const name = `${family}${generation}${variant}.${cpus}`;
        const onDemand = cpus * price * (1 + (8 - generation) * 0.02 + extra * 0.03);
        return {
          name,
          requirements: [
            is('node.kubernetes.io/instance-type', name),
            is('kubernetes.io/arch', 'amd64'),
            is('kubernetes.io/os', 'linux'),
            is('topology.kubernetes.io/zone', ...zones),
            is('karpenter.sh/capacity-type', ...capacityTypes),
          ],
          capacity: {
            cpu: String(cpus),
            memory: `${cpus * memory}Gi`,
            pods: String(Math.min(234, cpus * 15)),
          },
          overhead: {},
          offerings: zones.flatMap((zone) =>
            capacityTypes.map((capacityType) => ({
              requirements: [
                is('topology.kubernetes.io/zone', zone),
                is('karpenter.sh/capacity-type', capacityType),
              ],
              price: capacityType === 'spot' ? onDemand * 0.4 : onDemand,
              available: true,
            })),
          ),
        };
      }),
    ),
  ),
);

function nodePool(index, nodes) {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: `pool-${index}`, uid: `pool-${index}` },
    spec: {
      template: {
        metadata: { labels: { team: `team-${index}` } },
        spec: {
          requirements: [is('karpenter.sh/capacity-type', 'on-demand')],
          nodeClassRef: { group: 'g', kind: 'k', name: 'n' },
          expireAfter: '720h',
        },
      },
      disruption: {
        consolidateAfter: '0s',
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        budgets: [{ nodes }],
      },
    },
  };
}

const conditions = ['Launched', 'Registered', 'Initialized', 'Consolidatable'].map((type) => ({
  type,
  status: 'True',
  reason: type,
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
}));

function nodeObjects(index, type) {
  const name = `node-${index}`;
  const pool = index % poolCount;
  const labels = {
    'karpenter.sh/nodepool': `pool-${pool}`,
    team: `team-${pool}`,
    'karpenter.sh/registered': 'true',
    'karpenter.sh/initialized': 'true',
    'karpenter.sh/capacity-type': 'on-demand',
    'node.kubernetes.io/instance-type': type,
    'topology.kubernetes.io/zone': zones[index % zones.length],
    'kubernetes.io/hostname': name,
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
  };
  const capacity = { cpu: '16', memory: '64Gi', pods: '234' };
  const providerID = `cloud:///${index}`;
  return {
    Node: {
      metadata: { name, uid: name, labels },
      spec: { providerID },
      status: { capacity, allocatable: capacity, conditions: [{ type: 'Ready', status: 'True' }] },
    },
    NodeClaim: {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `claim-${index}`, uid: `claim-${index}`, labels },
      spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'k', name: 'n' }, expireAfter: '720h' },
      status: { providerID, nodeName: name, conditions },
    },
  };
}

/** Three of ten apps spread over zones. */
function podObject(index, cpus, memory) {
  const app = `app-${index % 200}`;
  const spread = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app } },
  };
  return {
    metadata: {
      name: `${app}-${index}`,
      namespace: `team-${index % poolCount}`,
      uid: `pod-${index}`,
      labels: { app },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: app, controller: true }],
    },
    spec: {
      nodeName: `node-${index % nodeCount}`,
      nodeSelector: { team: `team-${index % poolCount}` },
      containers: [
        { name: 'main', resources: { requests: { cpu: cpus[(index % 200) % cpus.length], memory } } },
      ],
      ...(index % 200 < 60 && { topologySpreadConstraints: [spread] }),
    },
    status: { phase: 'Running' },
  };
}

function cluster({ cpus, memory, type, nodes }) {
  const state = new ClusterState();
  const apply = (kind, object) => state.apply({ type: 'applied', kind, object });
  for (const index of numbers(poolCount)) {
    apply('NodePool', nodePool(index, nodes));
    state.apply({ type: 'instanceTypesKnown', nodePool: `pool-${index}`, types });
  }
  for (const index of numbers(nodeCount))
    for (const [kind, object] of Object.entries(nodeObjects(index, type))) apply(kind, object);
  for (const index of numbers(podCount)) apply('Pod', podObject(index, cpus, memory));
  return state.snapshot(at);
}

const plan = {
  preferencePolicy: 'Respect',
  minValuesPolicy: 'Strict',
  wellKnownLabels: new Set([
    'karpenter.sh/nodepool',
    'karpenter.sh/capacity-type',
    'topology.kubernetes.io/zone',
    'node.kubernetes.io/instance-type',
    'kubernetes.io/arch',
    'kubernetes.io/os',
  ]),
  labelAliases: new Map(),
};

function* evaluation(snapshot) {
  const context = { snapshot, queued: new Set() };
  const { candidates } = yield* candidateSteps(context, 'graceful');
  const filledLast = [...candidates]
    .sort(bySavingsRatio)
    .toReversed()
    .map(({ name }) => name);
  return yield* consolidate({
    candidates,
    ledger: new BudgetLedger(poolBudgets(snapshot, 'Underutilized')),
    simulate: () => ClusterSimulation.of(snapshot, { plan, filledLast }),
    decision: decisionOn(snapshot),
    totals: poolTotals(snapshot, new CandidateEvaluator(context)),
  });
}

function decisionOn({ instanceTypes }) {
  return { prices: new PriceBook(instanceTypes, plan), allowsSpotToSpot: false };
}

/** The validation after the wait: each command again, then all together. */
function* validation(snapshot, commands) {
  const context = { snapshot, queued: new Set() };
  const leaving = commands.flatMap(({ candidates }) => candidates);
  return yield* validateConsolidations(commands, {
    ...context,
    evaluator: new CandidateEvaluator(context),
    budgets: poolBudgets(snapshot, 'Underutilized'),
    simulate: () =>
      ClusterSimulation.of(snapshot, { plan, filledLast: leaving.toReversed().map(({ name }) => name) }),
    decision: decisionOn(snapshot),
  });
}

function measured(steps) {
  const cpu = process.cpuUsage();
  const started = process.hrtime.bigint();
  let last = started;
  const pauses = [];
  for (;;) {
    const { done, value } = steps.next();
    const now = process.hrtime.bigint();
    pauses.push(Number(now - last) / 1e6);
    last = now;
    if (!done) continue;
    pauses.sort((a, b) => a - b);
    const { user, system } = process.cpuUsage(cpu);
    return {
      seconds: Number(now - started) / 1e9,
      cpuSeconds: (user + system) / 1e6,
      slice99: pauses[Math.floor(pauses.length * 0.99)],
      longest: pauses.at(-1),
      found: value,
    };
  }
}

const halfFull = { cpus: ['250m', '400m', '500m', '600m'], memory: '1Gi', type: 'm5.16' };

const scenarios = {
  'half full, budgets of 10%': { ...halfFull, nodes: '10%' },
  'half full, budgets of 100%': { ...halfFull, nodes: '100%' },
  'nearly full, budgets of 10%': {
    cpus: ['700m', '750m', '800m', '850m'],
    memory: '1Gi',
    type: 'm5.16',
    nodes: '10%',
  },
  'full, nothing cheaper': { cpus: ['800m'], memory: '3Gi', type: 'm8.16', nodes: '100%' },
};

export function run() {
  const results = Object.entries(scenarios).map(([name, scenario]) => {
    const snapshot = cluster(scenario);
    const search = measured(evaluation(snapshot));
    const commands = search.found.commands.map(({ command }) => command);
    return { name, ...search, validated: measured(validation(snapshot, commands)) };
  });
  const nodesOf = ({ commands }) => commands.reduce((sum, { command }) => sum + command.candidates.length, 0);
  const savings = ({ commands }) => commands.reduce((sum, { command }) => sum + command.savings, 0);
  return {
    exact: Object.fromEntries(
      results.flatMap(({ name, found, validated }) => [
        [`${name}: nodes that go`, nodesOf(found)],
        [`${name}: dollars an hour saved`, Number(savings(found).toFixed(2))],
        [`${name}: nodes looked at`, found.evaluated],
        [`${name}: commands valid together`, validated.found.valid.length],
      ]),
    ),
    perSecond: Object.fromEntries(
      results.map(({ name, found, seconds }) => [`${name}: nodes looked at`, found.evaluated / seconds]),
    ),
    bytes: {},
    report: table([
      [
        'cluster',
        'seconds',
        'CPU s',
        '99% of slices ms',
        'longest ms',
        'looked at',
        'commands',
        'nodes go',
        'again, CPU s',
      ],
      ...results.map(({ name, seconds, cpuSeconds, slice99, longest, found, validated }) => [
        name,
        seconds.toFixed(2),
        cpuSeconds.toFixed(2),
        slice99.toFixed(1),
        longest.toFixed(1),
        `${found.evaluated} of ${found.eligible.length}`,
        String(found.commands.length),
        String(nodesOf(found)),
        validated.cpuSeconds.toFixed(2),
      ]),
    ]),
  };
}
