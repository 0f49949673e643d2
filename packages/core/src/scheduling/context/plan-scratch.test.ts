import { instanceType, node, planOptions, pods, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { planWithin } from '../plan.ts';
import type { Plan } from '../plan-result.ts';
import { cheapestPolicy } from './attempt-policy.ts';
import { type PlanContext, planContextSteps } from './plan-context.ts';
import { newScratch } from './plan-scratch.ts';

const idLabel = 'karpenter.k8s.aws/capacity-reservation-id';
const options = { ...planOptions, reservedCapacity: { idLabel, mode: 'fallback' as const } };
const reserved = instanceType('four', { price: 1, cpu: '4', reservations: [{ id: 'cr-1', capacity: 1 }] });

function finished<Made>(steps: Generator<void, Made, undefined>): Made {
  for (;;) {
    const { done, value } = steps.next(undefined);
    if (done) return value;
  }
}

const planned = (context: PlanContext): Plan => finished(planWithin(context, cheapestPolicy)).plan;

/** Nine pods of one CPU: three on the node, four on the reservation, two on an instance that is paid for. */
const contextOfNine = () =>
  finished(
    planContextSteps(
      snapshot({ pods: pods(9, 'p', { cpu: '1' }), nodes: [node('n')], types: [reserved] }),
      options,
    ),
  );

describe('the scratch area of an attempt', () => {
  it('holds all that the attempt changes, so that one context gives the same plan twice', () => {
    const context = contextOfNine();
    const first = planned(context);
    expect(first.placements).not.toEqual([]);
    expect(first.newNodes.map(({ choice }) => choice.offering.reservation)).toContain('cr-1');
    expect(planned(context)).toEqual(first);
  });

  it('starts with the whole room of the nodes and all instances of the reservations', () => {
    const context = contextOfNine();
    const used = newScratch(context);
    finished(planWithin(context, cheapestPolicy, used));
    expect(used.nodes[0]?.placed).not.toEqual([]);
    expect(used.reservations.left('cr-1')).toBe(0);
    const fresh = newScratch(context);
    expect(fresh.nodes.map(({ placed }) => placed)).toEqual([[]]);
    expect(fresh.reservations.left('cr-1')).toBe(1);
  });
});
