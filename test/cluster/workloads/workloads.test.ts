import { VirtualClock } from '@karpenter/testkit/clock';
import { type ControlPlane, startControlPlane } from '@karpenter/testkit/control-plane';
import { describe, expect, it } from 'vitest';
import { describeWorkloads } from '../../workloads/scenarios.ts';
import { simulateCluster } from '../../workloads/simulated-cluster.ts';

describe('on a real API server', () => {
  let plane: ControlPlane;

  describeWorkloads(async () => {
    plane = await startControlPlane({ components: [] });
    // The server stamps deletions with the real time, so the virtual clock starts there.
    return simulateCluster(plane, new VirtualClock(Date.now()));
  });

  it.each(['deployment/web -n fifty', 'daemonset/agent -n daemons', 'statefulset/db -n state'])(
    'kubectl sees the rollout of %s end',
    async (target) => {
      const { stdout } = await plane.kubectl(['rollout', 'status', ...target.split(' '), '--timeout=5s']);

      expect(stdout).toMatch(/successfully rolled out|roll out complete/);
    },
  );
});
