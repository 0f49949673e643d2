import {
  type BlockedNode,
  type Blocker,
  blockers,
  type Command,
  findCandidates,
} from '@karpenter/core/disruption';
import { VirtualClock } from '@karpenter/testkit/clock';
import { RecordedEvents } from '@karpenter/testkit/controller-world';
import { disruptableCluster, managedNode } from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { publishApproved, publishBlocked, publishCandidates, publishRejected } from './disruption-events.ts';

const types = [instanceType('large', { price: 0.4 })];

function commandOf(names: readonly string[], parts: Partial<Command> = {}): Command {
  const snapshot = disruptableCluster({ managedNodes: names.map((name) => managedNode(name)), types });
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

function textsOf(publish: (recorder: RecordedEvents) => void): readonly string[] {
  const recorder = new RecordedEvents();
  publish(recorder);
  return recorder.texts;
}

describe('the event ConsolidationRejected', () => {
  it('is published on the Node and the NodeClaim of a single-node command', () => {
    const command = commandOf(['a']);
    expect(textsOf((recorder) => publishRejected({ recorder }, { command, reason: 'budget' }))).toEqual([
      'Node/a ConsolidationRejected: Consolidation rejected: replace: [a] -> [1 replacement], reason: budget (savings: $0.10)',
      'NodeClaim/claim-a ConsolidationRejected: Consolidation rejected: replace: [a] -> [1 replacement], reason: budget (savings: $0.10)',
    ]);
  });

  it('is not published for a multi-node command', () => {
    const command = commandOf(['a', 'b']);
    expect(textsOf((recorder) => publishRejected({ recorder }, { command, reason: 'churn' }))).toEqual([]);
  });
});

describe('the event DisruptionBlocked', () => {
  const { nodeStates } = disruptableCluster({ managedNodes: [managedNode('a')], types });
  const published = async (parts: Partial<BlockedNode['state']>, blocker: Blocker = blockers.noNode) => {
    const recorder = new RecordedEvents();
    const blocked = nodeStates.map((state) => ({ state: { ...state, ...parts }, blocker }));
    await publishBlocked({ recorder, clock: new VirtualClock() }, blocked);
    return recorder.texts;
  };

  it('is published on whichever of Node and NodeClaim exists', async () => {
    const message = 'DisruptionBlocked: Nodeclaim does not have an associated node';
    expect(await published({})).toEqual([`Node/a ${message}`, `NodeClaim/claim-a ${message}`]);
    expect(await published({ node: undefined })).toEqual([`NodeClaim/claim-a ${message}`]);
    expect(await published({ nodeClaim: undefined })).toEqual([`Node/a ${message}`]);
  });

  it('is not published for nodes of a queued command or without a NodeClaim', async () => {
    expect(await published({}, blockers.queued)).toEqual([]);
    expect(await published({}, blockers.noNodeClaim)).toEqual([]);
  });
});

describe('the event for consolidation candidates', () => {
  it('is published on every node of a multi-node replacement', () => {
    const command = commandOf(['a', 'b']);
    expect(textsOf((recorder) => publishCandidates({ recorder }, command))).toContain(
      'NodeClaim/claim-b ConsolidationCandidate: Consolidation candidate: replace: [b] (part of 2-node consolidation)',
    );
  });

  it('is not published for a deletion without a replacement', () => {
    const command = commandOf(['a'], { replacements: [] });
    expect(textsOf((recorder) => publishCandidates({ recorder }, command))).toEqual([]);
  });
});

describe('the event ConsolidationApproved of policy Balanced', () => {
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

  it('is published on the NodePool when the move has several nodes', () => {
    const command = commandOf(['a', 'b']);
    expect(textsOf((recorder) => publishApproved({ recorder }, { command, scores }))).toEqual([
      `NodePool/default ConsolidationApproved: ${message}`,
    ]);
  });
});
