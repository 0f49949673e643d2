import { claim, node } from '@karpenter/testkit/cluster-objects';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nodeSync, type OwnedNode } from './node-sync.ts';

const taint = fc.record({
  key: fc.constantFrom('a', 'b', 'karpenter.sh/unregistered'),
  value: fc.constantFrom('x', 'y'),
  effect: fc.constantFrom('NoSchedule' as const, 'NoExecute' as const),
});
const taints = fc.array(taint, { maxLength: 4 });
const labels = fc.dictionary(fc.constantFrom('l', 'm', 'n'), fc.constantFrom('1', '2'), { maxKeys: 3 });

it('changes nothing on a synced node, and keeps everything of the node except overridden labels and annotations', () => {
  fc.assert(
    fc.property(
      taints,
      taints,
      labels,
      labels,
      fc.boolean(),
      (claimTaints, nodeTaints, claimLabels, nodeLabels, registers) => {
        const wanted = claim('claim', {
          taints: claimTaints,
          labels: claimLabels,
          annotations: claimLabels,
        });
        const before: OwnedNode = node('node', {
          taints: nodeTaints,
          labels: nodeLabels,
          annotations: nodeLabels,
        });
        const sync = nodeSync(wanted, before, { registers });
        expect(sync).toBeDefined();
        if (sync === undefined) return;
        const after = {
          ...before,
          metadata: { ...before.metadata, ...sync.metadata },
          spec: { ...before.spec, ...sync.spec },
        };
        expect(nodeSync(wanted, after, { registers })).toBeUndefined();
        expect(after.metadata.labels).toMatchObject({ ...nodeLabels, ...claimLabels });
        expect(after.metadata.annotations).toMatchObject({ ...nodeLabels, ...claimLabels });
        const kept = nodeTaints.filter(({ key, effect }) => {
          return !(registers && key === 'karpenter.sh/unregistered' && effect === 'NoExecute');
        });
        expect(after.spec.taints.slice(0, kept.length)).toEqual(kept);
      },
    ),
  );
});

it('replaces taints of a node that has the right number but other ones', () => {
  const wanted = claim('claim', { taints: [{ key: 'a', effect: 'NoSchedule' }] });
  const unregistered = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' as const };
  const bare: OwnedNode = node('node', { taints: [unregistered] });
  const { metadata } = nodeSync(wanted, bare, { registers: true }) ?? {};
  const synced = { ...bare, metadata: { ...bare.metadata, ...metadata } };
  expect(nodeSync(wanted, synced, { registers: true })?.spec.taints).toEqual([
    { key: 'a', effect: 'NoSchedule' },
  ]);
});
