import { controllerNames, reconcilePeriods } from '@karpenter/core/api';
import { provisioningCondition, resolveBuffer } from '@karpenter/core/capacity-buffers';
import { keyOf, keyText, kinds, parseKey } from '@karpenter/kube/client';
import { changesOf, type Runnable } from '@karpenter/kube/runtime';
import { capacityBuffers } from '../cluster/index.ts';
import type { PlanTrigger } from '../context/index.ts';
import { bufferReferences, isActiveBuffer } from '../planning/index.ts';
import { type BufferContext, writeBuffer } from './buffer-status.ts';

/**
 * Resolves each CapacityBuffer to a number of pods and a pod template, writes that to its status and triggers
 * a plan, every 30 s and when its PodTemplate changes. A deleted buffer triggers one more plan, which
 * releases its capacity.
 */
export function capacityBuffer(context: BufferContext, plans: PlanTrigger): Runnable {
  const { caches } = context;
  const buffers = caches.of(capacityBuffers);
  return {
    controller: {
      name: controllerNames.capacityBuffer,
      kind: capacityBuffers,
      concurrency: 10,
      reconcile: async (key) => {
        const buffer = buffers.get(parseKey(key));
        if (buffer === undefined || !isActiveBuffer(buffer)) {
          plans.trigger(key);
          return undefined;
        }
        const resolution = resolveBuffer(buffer, bufferReferences(caches));
        const { readyForProvisioning } = resolution;
        const provisioning = provisioningCondition(resolution, undefined);
        await writeBuffer(context, buffer, { readyForProvisioning, provisioning, resolution });
        plans.trigger(buffer.metadata.uid ?? key);
        return { requeueAfter: reconcilePeriods.capacityBuffer };
      },
    },
    sources: [
      changesOf(buffers),
      changesOf(caches.of(kinds.podTemplate), ({ object }) => {
        const { namespace = '', name } = keyOf(object);
        return buffers
          .list()
          .filter(
            ({ metadata, spec }) => metadata.namespace === namespace && spec.podTemplateRef?.name === name,
          )
          .map((buffer) => keyText(keyOf(buffer)));
      }),
    ],
  };
}
