import type { NodeClaim } from '@karpenter/core/api';
import { claim } from '@karpenter/testkit/cluster-objects';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { findingsOf, type History, type Write, type Written } from './findings.ts';

const budget = 2;
const disrupted = { conditions: ['DisruptionReason'] };

/** The NodeClaim of an instance of the same name. */
function claimOf(name: string, parts: Parameters<typeof claim>[1] = {}): NodeClaim {
  return claim(name, { providerID: `aws:///zone-a/${name}`, nodeName: `node-${name}`, ...parts });
}

function nodeOf(name: string, taints: readonly string[] = []): Node {
  return {
    metadata: { name: `node-${name}` },
    spec: {
      providerID: `aws:///zone-a/${name}`,
      taints: taints.map((key) => ({ key, effect: 'NoSchedule' })),
    },
  };
}

function podOn(name: string, metadata: Pod['metadata'] = {}): Pod {
  return {
    metadata: { name: 'web', ...metadata },
    spec: { nodeName: `node-${name}`, containers: [] },
    status: { phase: 'Running' },
  };
}

const ofClaim = (object: NodeClaim): Written => ({ kind: 'NodeClaim', object });
const ofNode = (object: Node): Written => ({ kind: 'Node', object });
const ofPod = (object: Pod): Written => ({ kind: 'Pod', object });
const removal = (written: Written) => ({ ...written, isRemoval: true });

type Step = Written & { readonly isRemoval?: boolean };

function found(steps: readonly Step[], { launched, lost }: Partial<Omit<History, 'writes'>> = {}) {
  const writes = steps.map(
    (step, index): Write => ({ ...step, isRemoval: step.isRemoval ?? false, revision: index + 1 }),
  );
  const named = steps.flatMap((step) => (step.kind === 'NodeClaim' ? [step.object.metadata.name] : []));
  return findingsOf(
    { writes: writes.toReversed(), launched: launched ?? new Set(named), lost: lost ?? new Set() },
    budget,
  );
}

describe('a budget', () => {
  it('is respected by as many nodes as it allows', () => {
    expect(found(['a', 'b'].map((name) => ofClaim(claimOf(name, disrupted))))).toEqual({
      violations: [],
      mostDisrupted: 2,
    });
  });

  it('that is exceeded for one moment is reported with nodes and revision', () => {
    const steps = [
      ...['a', 'b', 'c'].map((name) => ofClaim(claimOf(name, disrupted))),
      ofClaim(claimOf('c')),
    ];
    expect(found(steps)).toEqual({
      violations: ['a, b, c were disrupted at once at 3'],
      mostDisrupted: 3,
    });
  });

  it('is exceeded by tainted nodes without a reason on their NodeClaim', () => {
    const steps = ['a', 'b', 'c'].flatMap((name) => [
      ofClaim(claimOf(name)),
      ofNode(nodeOf(name, ['karpenter.sh/disrupted'])),
    ]);
    expect(found(steps).violations).toEqual(['a, b, c were disrupted at once at 6']);
  });

  it('is exceeded by nodes that still drain when the next ones are disrupted', () => {
    const deleted = '2026-01-01T00:00:00Z';
    const steps = ['a', 'b', 'c'].map((name) => ofClaim(claimOf(name, { ...disrupted, deleted })));
    expect(found(steps).violations).toEqual(['a, b, c were disrupted at once at 3']);
  });

  it('does not count nodes with terminating instances, or nodes that users delete', () => {
    const ending = { conditions: ['DisruptionReason', 'InstanceTerminating'] };
    const byHand = { deleted: '2026-01-01T00:00:00Z' };
    const steps = [
      ...['a', 'b'].map((name) => ofClaim(claimOf(name, ending))),
      ...['c', 'd'].map((name) => ofClaim(claimOf(name, byHand))),
      ...['e', 'f'].map((name) => ofClaim(claimOf(name, disrupted))),
    ];
    expect(found(steps)).toEqual({ violations: [], mostDisrupted: 2 });
  });

  it('does not count a NodeClaim whose Node is gone, until a Node of that name is there again', () => {
    const gone = [ofNode(nodeOf('a')), ofClaim(claimOf('a', disrupted)), removal(ofNode(nodeOf('a')))];
    const others = ['b', 'c'].map((name) => ofClaim(claimOf(name, disrupted)));
    expect(found([...gone, ...others])).toEqual({ violations: [], mostDisrupted: 2 });
    expect(found([...gone, ...others, ofNode(nodeOf('a'))]).violations).toEqual([
      'a, b, c were disrupted at once at 6',
    ]);
  });
});

describe('a launch', () => {
  it('that was made twice for a NodeClaim that names both is reported', () => {
    const steps = ['i-1', 'i-2'].map((id) =>
      ofClaim(claimOf('a', { uid: 'uid-a', providerID: `aws:///zone-a/${id}` })),
    );
    expect(found(steps, { launched: new Set(['i-1', 'i-2']) }).violations).toEqual([
      'nodeclaim uid-a had two instances',
    ]);
  });

  it('that was made twice for a NodeClaim that names one is reported', () => {
    const launched = new Set(['a', 'second']);
    expect(found([ofClaim(claimOf('a'))], { launched }).violations).toEqual([
      'instance second was launched for nobody',
    ]);
  });

  it('that two NodeClaims name is reported', () => {
    const steps = ['a', 'b'].map((name) => ofClaim(claimOf(name, { providerID: 'aws:///zone-a/i-1' })));
    expect(found(steps, { launched: new Set(['i-1']) }).violations).toEqual([
      'instance i-1 was that of two nodeclaims',
    ]);
  });

  it('is excused if its NodeClaim was deleted before it could name it, once per NodeClaim', () => {
    const untold = claim('a');
    const steps = [ofClaim(untold), removal(ofClaim(untold))];
    expect(found(steps, { launched: new Set(['i-1']) }).violations).toEqual([]);
    expect(found(steps, { launched: new Set(['i-1', 'i-2']) }).violations).toEqual([
      'instance i-2 was launched for nobody',
    ]);
  });

  it('is excused if others terminated the instance before it was named', () => {
    expect(found([], { launched: new Set(['i-1']), lost: new Set(['i-1']) }).violations).toEqual([]);
  });
});

describe('a pod', () => {
  const chosen = [ofClaim(claimOf('a', disrupted)), ofNode(nodeOf('a'))];
  const lost = 'pod web was not drained from node node-a at 4';

  it('that is lost with a node that the controllers disrupted is reported', () => {
    expect(found([...chosen, ofPod(podOn('a')), removal(ofNode(nodeOf('a')))]).violations).toEqual([lost]);
  });

  it('is also lost if the NodeClaim was deleted before the node', () => {
    const steps = [
      ...chosen,
      ofPod(podOn('a')),
      removal(ofClaim(claimOf('a', disrupted))),
      removal(ofNode(nodeOf('a'))),
    ];
    expect(found(steps).violations).toEqual(['pod web was not drained from node node-a at 5']);
  });

  it('is not lost if it was terminating, completed, or a pod of the node itself', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'd' };
    const pods: readonly Pod[] = [
      podOn('a', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      { ...podOn('a'), status: { phase: 'Succeeded' } },
      podOn('a', { ownerReferences: [owner] }),
      podOn('b'),
    ];
    for (const pod of pods)
      expect(found([...chosen, ofPod(pod), removal(ofNode(nodeOf('a')))]).violations).toEqual([]);
  });

  it('is not the fault of the controllers if others terminated the instance', () => {
    const steps = [...chosen, ofPod(podOn('a')), removal(ofNode(nodeOf('a')))];
    expect(found(steps, { lost: new Set(['a']) }).violations).toEqual([]);
  });
});
