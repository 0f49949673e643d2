import { controllerNames, nodePoolConditions, nodePoolReasons } from '@karpenter/core/api';
import { nodePoolErrors } from '@karpenter/core/provisioning';
import { mixedKnownValues } from '@karpenter/core/requirements';
import type { Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { poolController } from './managed-pools.ts';
import { writePoolCondition } from './pool-conditions.ts';

type ValidationContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cloud' | 'clock' | 'log' | 'vocabulary'
>;

/**
 * Sets ValidationSucceeded of each NodePool: the rules that the CRD schema cannot express, such as restricted
 * labels.
 */
export function nodePoolValidation(context: ValidationContext): Runnable {
  const { caches, cloud, log, vocabulary } = context;
  return poolController({
    name: controllerNames.nodePoolValidation,
    caches,
    cloud,
    reconcile: async (nodePool) => {
      // As in Karpenter a list with both known and unknown values is valid, and its unknown values have no effect.
      for (const requirement of nodePool.spec.template.spec.requirements) {
        const mixed = mixedKnownValues(requirement, vocabulary.policy);
        if (mixed === undefined) continue;
        log.error('please correct found invalid values, proceeding with valid values', {
          key: mixed.key,
          'valid-values': mixed.valid,
          'invalid-values': mixed.invalid,
        });
      }
      const problems = nodePoolErrors(nodePool, vocabulary.policy);
      const { reason } = nodePoolReasons.validationFailed;
      const obstacle = problems.length === 0 ? undefined : { reason, message: problems.join('; ') };
      await writePoolCondition(context, nodePool, { type: nodePoolConditions.validationSucceeded, obstacle });
      return undefined;
    },
  });
}
