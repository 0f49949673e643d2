import { startApiServer } from '@karpenter/sim/apiserver';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe } from 'vitest';
import { describeWorkloads } from '../workloads/scenarios.ts';
import { simulateCluster } from '../workloads/simulated-cluster.ts';

describe('on the embedded API server', () => {
  describeWorkloads(async () => {
    const clock = new VirtualClock();
    return simulateCluster(await startApiServer({ clock }), clock, 1);
  });
});
