import { instanceType, planOptions, pod, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { isUpcomingUid, type PodView, plan, upcomingUid } from '../scheduling/index.ts';
import { plannedWithUpcoming } from './upcoming-plan.ts';

const web = { kind: 'ReplicaSet', namespace: 'default', name: 'web', uid: 'uid-web' };
const types = [2, 4, 8, 16].map((cpu) => instanceType(`c${cpu}`, { price: cpu * 0.05, cpu: String(cpu) }));

const real = (count: number) => Array.from({ length: count }, (_, index) => pod(`real-${index}`));
const expected = (count: number): readonly PodView[] =>
  Array.from({ length: count }, (_, index) => {
    const made = pod(`web-upcoming-${index}`);
    return { ...made, metadata: { ...made.metadata, uid: upcomingUid(web, index) } };
  });

const cluster = (pods: readonly PodView[], nodePool = pool('default')) =>
  snapshot({ pods, pools: [nodePool], types });

describe('a plan with upcoming pods', () => {
  it('sizes the node of real pods for them', () => {
    const { newNodes } = plannedWithUpcoming(cluster([...real(2), ...expected(14)]), planOptions);
    expect(newNodes.map(({ instanceTypes, pods }) => [instanceTypes[0], pods.length])).toEqual([['c16', 16]]);
  });

  it('has no node for them alone', () => {
    const { newNodes } = plannedWithUpcoming(cluster([...real(2), ...expected(60)]), planOptions);
    expect(newNodes).toHaveLength(1);
    expect(newNodes[0]?.pods.some((uid) => !isUpcomingUid(uid))).toBe(true);
    expect(plannedWithUpcoming(cluster(expected(5)), planOptions).newNodes).toEqual([]);
  });

  it('names them on new nodes only', () => {
    const made = plannedWithUpcoming(cluster([...real(2), ...expected(60)]), planOptions);
    const { placements, rejections, deferred, unevaluated } = made;
    expect({ placements, rejections, deferred, unevaluated }).toEqual({
      placements: [],
      rejections: [],
      deferred: [],
      unevaluated: [],
    });
  });

  it('rejects no real pod for them where limits are short', () => {
    const limited = pool('default', { limits: { cpu: '4' } });
    const alone = plan(cluster(real(3), limited), planOptions);
    const together = plannedWithUpcoming(cluster([...real(3), ...expected(30)], limited), planOptions);
    expect(alone.rejections).toEqual([]);
    expect(together.rejections).toEqual([]);
  });
});
