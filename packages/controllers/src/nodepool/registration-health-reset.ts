import {
  conditionedObject,
  controllerNames,
  formatTimestamp,
  getCondition,
  nodePoolConditionSet,
  nodePoolConditions,
} from '@karpenter/core/api';
import type { Runnable } from '@karpenter/kube/runtime';
import { nodePools, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import type { RegistrationHealth } from '../registration-health/index.ts';
import { poolController, watchNodeClasses } from './managed-pools.ts';

const { nodeRegistrationHealthy: type } = nodePoolConditions;

/**
 * Resets NodeRegistrationHealthy to Unknown when the generation of the NodePool or its NodeClass changes: the
 * results of earlier nodes say nothing about new ones.
 */
export function nodePoolRegistrationHealth(
  context: Pick<ControllerContext, 'client' | 'caches' | 'cloud' | 'clock'>,
  health: RegistrationHealth,
): Runnable {
  const { client, caches, cloud, clock } = context;
  const classes = watchNodeClasses(caches, cloud);
  return poolController({
    name: controllerNames.nodePoolRegistrationHealth,
    caches,
    cloud,
    sources: classes.sources,
    reconcile: async (nodePool) => {
      const nodeClass = classes.of(nodePool);
      if (nodeClass === undefined) return undefined;
      const object = conditionedObject(nodePool);
      const observed = nodeClass.metadata?.generation ?? 0;
      const isCurrent =
        nodePool.status?.nodeClassObservedGeneration === observed &&
        getCondition(object, type)?.observedGeneration === object.generation;
      if (isCurrent) {
        health.seed(nodePool);
        return undefined;
      }
      health.reset(nodePool.metadata.uid ?? '');
      const conditions = nodePoolConditionSet.setUnknown(object, { type, now: formatTimestamp(clock.now()) });
      await writeStatus(client, nodePools, nodePool, { conditions, nodeClassObservedGeneration: observed });
      return undefined;
    },
  });
}
