import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { lostPods } from './lost-pods.ts';

const now = Date.UTC(2026, 0, 1);
const deletionTimestamp = new Date(now).toISOString();

const pod = (name: string, nodeName?: string, rest: Pod['metadata'] = {}): Pod => ({
  metadata: { name, ...rest },
  spec: { containers: [], ...(nodeName && { nodeName }) },
});
const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata?.name);

const broken = {
  spec: { taints: [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }] },
  status: { conditions: [{ type: 'Ready', status: 'Unknown' }] },
};

describe('lost pods', () => {
  it('are those of nodes missing for forty seconds and those terminating without a node', () => {
    const pods = [
      pod('fine', 'here'),
      pod('orphan', 'gone'),
      pod('recent', 'just-gone'),
      pod('waiting'),
      pod('unscheduled', undefined, { deletionTimestamp }),
      pod('stuck', 'broken', { deletionTimestamp }),
      pod('staying', 'broken'),
    ];
    const lost = lostPods(
      {
        pods,
        node: (name) => (name === 'here' ? {} : name === 'broken' ? broken : undefined),
        missingSince: (name) => (name === 'gone' ? now - 40_000 : now - 39_999),
      },
      now,
    );

    expect(names(lost.orphaned)).toEqual(['orphan']);
    expect(names(lost.unscheduled)).toEqual(['unscheduled']);
    expect(names(lost.outOfService)).toEqual(['stuck']);
    expect(lost.surplus).toEqual([]);
  });
});
