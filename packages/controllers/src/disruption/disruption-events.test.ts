import {
  type BlockedNode,
  type Blocker,
  blockers,
  type Command,
  findCandidates,
} from '@karpenter/core/disruption';
import { RecordedEvents } from '@karpenter/testkit/controller-world';
import { disruptableCluster, machine } from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { publishApproved, publishBlocked, publishCandidates, publishRejected } from './disruption-events.ts';

const types = [instanceType('large', { price: 0.4 })];

function commandOf(names: readonly string[], parts: Partial<Command> = {}): Command {
  const snapshot = disruptableCluster({ machines: names.map((name) => machine(name)), types });
  const { candidates } = findCandidates({ snapshot, queued: new Set() }, 'graceful');
  return {
    reason: 'Underutilized',
    consolidationType: names.length > 1 ? 'multi' : 'single',
    candidates,
    replacements: [{ nodePool: 'default', isStatic: true }],
    destinations: [],
    savings: 0.1,
    ...parts,
  };
}

function textsOf(tell: (recorder: RecordedEvents) => void): readonly string[] {
  const recorder = new RecordedEvents();
  tell(recorder);
  return recorder.texts;
}

describe('a consolidation that was called off', () => {
  it('is told to the node and its NodeClaim', () => {
    const command = commandOf(['a']);
    expect(textsOf((recorder) => publishRejected({ recorder }, { command, reason: 'budget' }))).toEqual([
      'Node/a ConsolidationRejected: Consolidation rejected: replace: [a] -> [1 replacement], reason: budget (savings: $0.10)',
      'NodeClaim/claim-a ConsolidationRejected: Consolidation rejected: replace: [a] -> [1 replacement], reason: budget (savings: $0.10)',
    ]);
  });

  it('is told to nobody if it was of several nodes', () => {
    const command = commandOf(['a', 'b']);
    expect(textsOf((recorder) => publishRejected({ recorder }, { command, reason: 'churn' }))).toEqual([]);
  });
});

describe('what holds a node', () => {
  const { nodeStates } = disruptableCluster({ machines: [machine('a')], types });
  const told = (parts: Partial<BlockedNode['state']>, blocker: Blocker = blockers.noNode) =>
    textsOf((recorder) =>
      publishBlocked(
        { recorder },
        nodeStates.map((state) => ({ state: { ...state, ...parts }, blocker })),
      ),
    );

  it('is told to whichever of Node and NodeClaim there is', () => {
    const message = 'DisruptionBlocked: Nodeclaim does not have an associated node';
    expect(told({})).toEqual([`Node/a ${message}`, `NodeClaim/claim-a ${message}`]);
    expect(told({ node: undefined })).toEqual([`NodeClaim/claim-a ${message}`]);
    expect(told({ nodeClaim: undefined })).toEqual([`Node/a ${message}`]);
  });

  it('is told to nobody where a command is at work, or there is no NodeClaim', () => {
    expect(told({}, blockers.queued)).toEqual([]);
    expect(told({}, blockers.noNodeClaim)).toEqual([]);
  });
});

describe('candidates of a replacement', () => {
  it('of several nodes are each told that they are part of it', () => {
    const command = commandOf(['a', 'b']);
    expect(textsOf((recorder) => publishCandidates({ recorder }, command))).toContain(
      'NodeClaim/claim-b ConsolidationCandidate: Consolidation candidate: replace: [b] (part of 2-node consolidation)',
    );
  });

  it('are told nothing where nothing comes in their place', () => {
    const command = commandOf(['a'], { replacements: [] });
    expect(textsOf((recorder) => publishCandidates({ recorder }, command))).toEqual([]);
  });
});

describe('what a pool of policy Balanced has approved', () => {
  const scores = [
    {
      nodePool: 'default',
      policy: 'Balanced',
      isApproved: true,
      score: 1.2,
      savingsShare: 0.03,
      disruptionShare: 0.025,
    },
  ];
  const message = 'score 1.20 >= threshold 0.50 (k: 2, savings 3.0%, disruption 2.5%)';

  it('is told to the pool if it is of several nodes', () => {
    const command = commandOf(['a', 'b']);
    expect(textsOf((recorder) => publishApproved({ recorder }, { command, scores }))).toEqual([
      `NodePool/default ConsolidationApproved: ${message}`,
    ]);
  });
});
