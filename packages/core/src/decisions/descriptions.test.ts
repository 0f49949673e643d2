import { describe, expect, it } from 'vitest';
import {
  type CommandRecord,
  type CreatedNode,
  commandDifferences,
  decisionBounds,
  decisionOfFile,
  failedLaunchDecision,
  isSamePlan,
  launchDecision,
  type PlanRecord,
  planDecision,
  planDifferences,
} from './index.ts';

type NewNode = PlanRecord['newNodes'][number];

const zone = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a'] } as const;
const capacityType = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] } as const;

function newNode(pods: readonly string[], parts: Partial<NewNode> = {}): NewNode {
  const instanceTypes = ['small', 'medium'];
  return { nodePool: 'default', requirements: [], requests: {}, instanceTypes, pods, price: 0.1, ...parts };
}

const planOf = (parts: Partial<PlanRecord> = {}): PlanRecord => ({
  placements: [],
  newNodes: [],
  rejections: [],
  deferred: [],
  ...parts,
});

const numbered = (count: number, prefix = 'uid') => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
const namesOf = (uids: readonly string[]) =>
  new Map(uids.map((uid) => [uid, { metadata: { uid, namespace: 'shop', name: `pod-${uid}` } }]));

function described(plan: PlanRecord, uids: readonly string[], created = new Map<NewNode, CreatedNode>()) {
  return planDecision({ plan, names: namesOf(uids), durationMs: 12, created });
}

describe('the decision of a plan', () => {
  it('has new nodes, placements, rejected pods, money and a sentence', () => {
    const created = newNode(['a', 'b'], { requirements: [zone, capacityType] });
    const failed = newNode(['c'], { price: 0.2 });
    const plan = planOf({
      newNodes: [created, failed],
      placements: [{ node: 'n1', pods: ['d'] }],
      rejections: [{ pod: 'e', message: 'no room' }],
      deferred: ['f'],
    });
    const outcomes = new Map<NewNode, CreatedNode>([
      [created, { nodeClaim: 'claim-1' }],
      [failed, { failure: 'limit exceeded' }],
    ]);
    expect(described(plan, ['a', 'b', 'c', 'd', 'e', 'f'], outcomes)).toEqual({
      kind: 'plan',
      summary:
        '6 pods: 3 on 2 new nodes ($0.300/h), 1 on 1 existing node, 1 without a place and 1 in the next plan',
      pods: 6,
      durationMs: 12,
      newNodes: [
        {
          nodeClaim: 'claim-1',
          nodePool: 'default',
          instanceTypes: ['small', 'medium'],
          typeCount: 2,
          zones: ['a'],
          capacityTypes: ['spot'],
          hourly: 0.1,
          pods: ['shop/pod-a', 'shop/pod-b'],
        },
        {
          failure: 'limit exceeded',
          nodePool: 'default',
          instanceTypes: ['small', 'medium'],
          typeCount: 2,
          zones: [],
          capacityTypes: [],
          hourly: 0.2,
          pods: ['shop/pod-c'],
        },
      ],
      placements: [{ node: 'n1', pods: ['shop/pod-d'] }],
      rejected: [{ pod: 'shop/pod-e', message: 'no room' }],
      hourly: 0.1 + 0.2,
    });
  });

  it('leaves out virtual pods, which have no name', () => {
    const decision = described(planOf({ newNodes: [newNode(['a', 'virtual'])] }), ['a']);
    expect(decision).toMatchObject({ pods: 1, newNodes: [{ pods: ['shop/pod-a'] }] });
  });

  it('is shortened for 10,000 pods on 500 nodes, with counts of what is left out', () => {
    const uids = numbered(10_000);
    const nodes = Array.from({ length: 500 }, (_, index) =>
      newNode(uids.slice(index * 20, index * 20 + 21), { instanceTypes: numbered(600, 'type') }),
    );
    const rejections = uids.map((pod) => ({ pod, message: 'x'.repeat(5_000) }));
    const placements = uids.map((uid) => ({ node: uid, pods: uids }));
    const decision = described(planOf({ newNodes: nodes, rejections, placements }), uids);
    expect(decision).toMatchObject({
      pods: 10_000,
      newNodeCount: 500,
      placementCount: 10_000,
      rejectedCount: 10_000,
      newNodes: expect.objectContaining({ length: decisionBounds.newNodes }),
    });
    expect(decision).toMatchObject({ newNodes: [{ podCount: 21, typeCount: 600 }, ...Array(39).fill({})] });
    expect(JSON.stringify(decision).length).toBeLessThan(150_000);
  });
});

describe('the decision of a launch', () => {
  const claim = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'c1', labels: { 'karpenter.sh/nodepool': 'default' } },
  } as never;

  it('has the instance and its price', () => {
    const labels = {
      'node.kubernetes.io/instance-type': 'm5.large',
      'topology.kubernetes.io/zone': 'us-west-2a',
      'karpenter.sh/capacity-type': 'spot',
    };
    expect(launchDecision(claim, { labels, hourly: 0.0961 })).toEqual({
      kind: 'launch',
      summary: 'NodeClaim c1 is launched as spot m5.large in us-west-2a ($0.096/h)',
      nodeClaim: 'c1',
      nodePool: 'default',
      instanceType: 'm5.large',
      zone: 'us-west-2a',
      capacityType: 'spot',
      hourly: 0.0961,
    });
    expect(launchDecision(claim, { labels: {}, hourly: undefined })).not.toHaveProperty('hourly');
  });

  it('has the failure, not longer than a message may be', () => {
    const { failure = '', summary } = failedLaunchDecision(claim, 'no capacity '.repeat(1_000));
    expect([failure.length, summary.length]).toEqual([decisionBounds.text, decisionBounds.text]);
  });
});

describe('two plans', () => {
  const plan = planOf({
    newNodes: [newNode(['a', 'b'])],
    placements: [{ node: 'n1', pods: ['c'] }],
    rejections: [{ pod: 'd', message: 'no room' }],
    deferred: ['e'],
  });
  const nameOf = (uid: string) => `shop/${uid}`;
  const changed: readonly [string, Partial<PlanRecord>][] = [
    ['new node', { newNodes: [newNode(['a']), newNode(['b'])] }],
    ['price', { newNodes: [newNode(['a', 'b'], { price: 0.2 })] }],
    ['type', { newNodes: [newNode(['a', 'b'], { instanceTypes: ['small', 'large'] })] }],
    ['requirement', { newNodes: [newNode(['a', 'b'], { requirements: [zone] })] }],
    ['placement', { placements: [{ node: 'n2', pods: ['c'] }] }],
    ['missing placement', { placements: [] }],
    ['message', { rejections: [{ pod: 'd', message: 'no zone' }] }],
    ['deferred pod', { deferred: [] }],
    ['order of pods', { newNodes: [newNode(['b', 'a'])] }],
  ];

  it('do not differ if they are equal, also after JSON', () => {
    expect(planDifferences(plan, JSON.parse(JSON.stringify(plan)), nameOf)).toEqual([]);
  });

  it.each(changed)('differ by a %s', (_, change) => {
    expect(planDifferences(plan, { ...plan, ...change }, nameOf)).not.toEqual([]);
  });

  it('differ in words', () => {
    const other = { ...plan, placements: [{ node: 'n2', pods: ['c'] }] };
    expect(planDifferences(plan, other, nameOf)).toEqual([
      { what: 'pod shop/c', recorded: 'node n1', replayed: 'node n2' },
    ]);
  });

  it('decide the same although prices and further types changed', () => {
    const newNodes = [newNode(['a', 'b'], { price: 0.3, instanceTypes: ['small'] })];
    expect(isSamePlan(plan, { ...plan, newNodes })).toBe(true);
  });

  it.each(changed.filter(([what]) => !['price', 'type', 'requirement'].includes(what)))(
    'do not decide the same if they differ by a %s',
    (_, change) => {
      expect(isSamePlan(plan, { ...plan, ...change })).toBe(false);
    },
  );
});

describe('two commands', () => {
  const command: CommandRecord = {
    reason: 'Underutilized',
    consolidationType: 'single',
    savings: 0.1,
    nodes: [{ id: 'i1', name: 'n1' }],
    replacements: [newNode(['a'])],
    destinations: [{ node: 'n2', pods: ['b'] }],
  };
  const nameOf = (uid: string) => uid;

  it('do not differ if they are equal', () => {
    expect(commandDifferences(command, structuredClone(command), nameOf)).toEqual([]);
  });

  it.each<[string, Partial<CommandRecord>]>([
    ['savings', { savings: 0.2 }],
    ['nodes', { nodes: [{ id: 'i2', name: 'n9' }] }],
    ['replacement', { replacements: [] }],
    ['destination', { destinations: [] }],
    ['reason', { reason: 'Drifted' }],
  ])('differ by %s', (_, change) => {
    expect(commandDifferences(command, { ...command, ...change }, nameOf)).toHaveLength(1);
  });

  it('differ if there is no such command any more', () => {
    expect(commandDifferences(command, undefined, nameOf)).toEqual([
      { what: 'command', recorded: 'n1', replayed: 'no command for these nodes' },
    ]);
  });
});

describe('the decision in a file', () => {
  const decision = { id: 'x', summary: 'y' };
  const replay = { kind: 'plan', first: [], plan: planOf({ newNodes: [newNode(['a'])] }) };
  const whole = { decision, replay };

  it('is read if it is whole', () => {
    expect(decisionOfFile(whole)).toEqual(whole);
  });

  it.each<[string, object, string]>([
    ['no decision', {}, 'it holds a cluster without a decision; `karpenter simulate -f` plans it'],
    ['a text', { ...whole, decision: 'x' }, 'decision: it needs an id and a summary'],
    ['no inputs', { ...whole, replay: 1 }, 'replay: it is not an object'],
    ['another kind', { ...whole, replay: { kind: 'guess' } }, 'replay.kind: "guess" is neither'],
    ['no kind', { ...whole, replay: {} }, 'replay.kind: missing is neither'],
    ['no plan', { ...whole, replay: { kind: 'plan', first: [] } }, 'replay.plan: Required value'],
    ['a list of numbers', { ...whole, replay: { ...replay, first: [1] } }, 'replay: it needs lists of pods'],
    [
      'a damaged node',
      {
        ...whole,
        replay: { ...replay, plan: planOf({ newNodes: [{ ...newNode([]), price: 'x' as never }] }) },
      },
      'replay.plan: it is damaged',
    ],
    [
      'half a command',
      { ...whole, replay: { kind: 'disruption', queued: [], waiting: [] } },
      'replay: it is damaged',
    ],
  ])('with %s is refused in one sentence', (_, file, message) => {
    expect(() => decisionOfFile(file)).toThrow(message);
    expect(() => decisionOfFile(file)).toThrow(expect.objectContaining({ code: 'invalid-object' }));
  });
});
