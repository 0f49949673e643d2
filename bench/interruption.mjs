import {
  InterruptionController,
  InterruptionHandler,
  KubeCluster,
  ReservationCounts,
  UnavailableOfferings,
} from '@karpenter/aws';

// Ten thousand messages of all kinds through the controller, from a queue in memory to a cluster in memory,
// one in twenty malformed and one in twenty delivered twice: the cost of parsing, deciding and bookkeeping
// without a network.

const count = 10_000;
const start = Date.UTC(2026, 0, 1);
const now = () => start;
const silent = { debug() {}, info() {}, error() {} };

const types = [
  ['aws.ec2', 'EC2 Spot Instance Interruption Warning', { 'instance-action': 'terminate' }],
  ['aws.ec2', 'EC2 Instance Rebalance Recommendation', {}],
  ['aws.ec2', 'EC2 Capacity Reservation Instance Interruption Warning', { 'instance-action': 'terminate' }],
  ['aws.ec2', 'EC2 Instance State-change Notification', { state: 'stopping' }],
  ['aws.ec2', 'EC2 Instance State-change Notification', { state: 'running' }],
  ['aws.health', 'AWS Health Event', { service: 'EC2', eventTypeCategory: 'scheduledChange' }],
];

function bodyOf(index) {
  const [source, detailType, detail] = types[index % types.length];
  const instance = `i-${index}`;
  const body = JSON.stringify({
    version: '0',
    id: `event-${index}`,
    source,
    'detail-type': detailType,
    account: '123456789012',
    region: 'us-east-1',
    time: new Date(start).toISOString(),
    resources: [`arn:aws:ec2:us-east-1:123456789012:instance/${instance}`],
    detail: { ...detail, 'instance-id': instance, affectedEntities: [{ entityValue: instance }] },
  });
  return index % 20 === 7 ? body.slice(0, -1) : body;
}

/** The deliveries: all messages, some of them twice. */
const bodies = Array.from({ length: count }, (_, index) => bodyOf(index)).flatMap((body, index) =>
  index % 20 === 11 ? [body, body] : [body],
);

const claims = Array.from({ length: count }, (_, index) => ({
  metadata: {
    name: `claim-${index}`,
    uid: `uid-${index}`,
    labels: {
      'karpenter.sh/nodepool': 'default',
      'karpenter.sh/capacity-type': 'spot',
      'node.kubernetes.io/instance-type': 'm5.large',
      'topology.kubernetes.io/zone': 'us-east-1a',
      'karpenter.k8s.aws/capacity-reservation-id': `cr-${index % 100}`,
    },
  },
  status: { providerID: `aws:///us-east-1a/i-${index}` },
}));

/** The part of a cache that finds objects by the one index defined on it. */
function indexed(objects) {
  const found = new Map();
  return {
    addIndex(_, valuesOf) {
      for (const object of objects) for (const value of valuesOf(object)) found.set(value, [object]);
    },
    byIndex: (_, value) => found.get(value) ?? [],
  };
}

function queue() {
  let next = 0;
  return {
    get isEmpty() {
      return next >= bodies.length;
    },
    getQueueUrl: async () => ({ QueueUrl: 'https://sqs.test/bench' }),
    receiveMessage: async ({ MaxNumberOfMessages }) => {
      const taken = bodies.slice(next, next + MaxNumberOfMessages);
      next += taken.length;
      return { Messages: taken.map((Body) => ({ Body, MessageId: '', ReceiptHandle: '' })) };
    },
    deleteMessage: async () => ({}),
  };
}

const { signal } = new AbortController();

/** Handles all messages once and returns the outcomes. */
async function handleAll() {
  const done = { deletions: 0, events: 0 };
  const counters = { increment() {}, observe() {} };
  const clock = { now, monotonic: now, sleep: async () => {} };
  const client = {
    delete: async () => {
      done.deletions++;
    },
  };
  const recorder = {
    publish: (...events) => {
      done.events += events.length;
    },
  };
  const cluster = new KubeCluster({
    client,
    claims: indexed(claims),
    nodes: indexed([]),
    recorder,
    clock,
    counters,
    log: silent,
  });
  const handler = new InterruptionHandler({
    cluster,
    unavailable: new UnavailableOfferings({ now }),
    reservations: new ReservationCounts(now),
    log: silent,
  });
  const sqs = queue();
  const controller = new InterruptionController({
    sqs,
    queueName: 'bench',
    handler,
    clock,
    counters,
    log: silent,
  });
  const begun = performance.now();
  while (!sqs.isEmpty) await controller.reconcile(signal);
  return { ...done, seconds: (performance.now() - begun) / 1000 };
}

export async function run() {
  await handleAll();
  const rounds = [];
  for (let round = 0; round < 7; round++) rounds.push(await handleAll());
  const best = Math.min(...rounds.map(({ seconds }) => seconds));
  const [{ deletions, events }] = rounds;
  return {
    exact: { messages: bodies.length, 'NodeClaims deleted': deletions, 'events published': events },
    perSecond: { 'messages handled': bodies.length / best },
    bytes: {},
    report: `${bodies.length} messages in ${(best * 1000).toFixed(0)} ms`,
  };
}
