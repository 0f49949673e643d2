import { controllerNames, nodePoolConditions } from '@karpenter/core/api';
import { nodeClassObstacle } from '@karpenter/core/provisioning';
import type { Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { poolController, watchNodeClasses } from './managed-pools.ts';
import { writePoolCondition } from './pool-conditions.ts';

/**
 * Sets NodeClassReady of each NodePool, which provisioning requires, from the Ready condition of its
 * NodeClass.
 */
export function nodePoolReadiness(
  context: Pick<ControllerContext, 'client' | 'caches' | 'cloud' | 'clock'>,
): Runnable {
  const { caches, cloud } = context;
  const classes = watchNodeClasses(caches, cloud);
  return poolController({
    name: controllerNames.nodePoolReadiness,
    caches,
    cloud,
    sources: classes.sources,
    reconcile: async (nodePool) => {
      const obstacle = nodeClassObstacle(classes.of(nodePool));
      await writePoolCondition(context, nodePool, { type: nodePoolConditions.nodeClassReady, obstacle });
      return undefined;
    },
  });
}
