import { boundPod } from '@karpenter/testkit/snapshots';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLabelSelector, type Labels } from '../../values/index.ts';
import { BoundPodIndex } from './bound-pod-index.ts';

const labels: fc.Arbitrary<Labels> = fc.dictionary(
  fc.constantFrom('app', 'tier', 'constructor'),
  fc.constantFrom('a', 'b', 'c'),
);
const matching = (name: string, chosen: Labels) => boundPod(name, 'n', { labels: chosen });

describe('pods that a selector may select', () => {
  it('include all that it selects, before and after others are added', () => {
    fc.assert(
      fc.property(fc.array(labels), fc.array(labels), labels, (first, later, matchLabels) => {
        const pods = [...first, ...later].map((each, index) => matching(`p${index}`, each));
        const index = new BoundPodIndex(pods.slice(0, first.length));
        index.selectable(['default'], { matchLabels });
        for (const pod of pods.slice(first.length)) index.add(pod);
        const matches = compileLabelSelector({ matchLabels }, 'labelSelector');
        const selects = (pod: (typeof pods)[number]) => matches(pod.metadata.labels ?? {});
        const found = index.selectable(['default'], { matchLabels }).filter(selects);
        expect(new Set(found)).toEqual(new Set(pods.filter(selects)));
        expect(found).toHaveLength(pods.filter(selects).length);
      }),
      { numRuns: 100 },
    );
  });

  it('are those with the rarest label that it names, in its namespaces only', () => {
    const rare = matching('rare', { app: 'a', tier: 'b' });
    const common = [0, 1, 2].map((index) => matching(`c${index}`, { app: 'a' }));
    const index = new BoundPodIndex([rare, ...common]);
    expect(index.selectable(['default'], { matchLabels: { app: 'a', tier: 'b' } })).toEqual([rare]);
    expect(index.selectable(['other'], { matchLabels: { app: 'a' } })).toEqual([]);
  });

  it('are not changed by pods that are added to a copy', () => {
    const index = new BoundPodIndex([matching('p', { app: 'a' })]);
    index.copy().add(matching('q', { app: 'a' }));
    expect(index.selectable(['default'], { matchLabels: { app: 'a' } })).toHaveLength(1);
    expect(index.selectable(['default'])).toHaveLength(1);
  });

  it('are indexed a hundred at a time, so that a large cluster holds up nothing else', () => {
    const pods = Array.from({ length: 1_000 }, (_, index) => matching(`p${index}`, {}));
    const steps = BoundPodIndex.of(pods);
    let yields = 0;
    for (let next = steps.next(); ; next = steps.next()) {
      if (next.done) {
        expect(next.value.selectable(['default'])).toEqual(pods);
        break;
      }
      yields += 1;
    }
    expect(yields).toBe(10);
  });
});
