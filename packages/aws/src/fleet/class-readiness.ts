import type { CodedError } from '@karpenter/core/errors';
import { insufficientCapacity, launchFailed, nodeClassNotReady } from '@karpenter/core/ports';
import { ec2NodeClassConditions } from '../names/index.ts';
import type { EC2NodeClass } from '../node-class/index.ts';
import { restrictedTagsMessage } from '../tags/index.ts';

/** Returns why nothing can be launched with the class, or undefined if it can be used. */
export function launchObstacle(nodeClass: EC2NodeClass): CodedError | undefined {
  const { metadata, spec } = nodeClass;
  // The error of a missing class: Karpenter treats one that is being deleted as missing.
  if (metadata.deletionTimestamp !== undefined) {
    return insufficientCapacity(
      `ec2nodeclasses.karpenter.k8s.aws "${metadata.name}" is terminating, treating as not found`,
    );
  }
  const restricted = restrictedTagsMessage(spec.tags);
  return (
    readinessObstacle(nodeClass) ?? (restricted === undefined ? undefined : nodeClassNotReady(restricted))
  );
}

function readinessObstacle({ metadata, status }: EC2NodeClass): CodedError | undefined {
  const ready = status?.conditions?.find(({ type }) => type === ec2NodeClassConditions.ready);
  if (ready?.status === 'False') return nodeClassNotReady(ready.message);
  // Not nodeClassNotReady, which gives the claim up: Unknown passes, so the launch is retried.
  if (ready?.status !== 'True') {
    return launchFailed('NodeClass is in Ready=Unknown', {
      reason: 'NodeClassReadinessUnknown',
      conditionMessage: 'NodeClass is in Ready=Unknown',
    });
  }
  // Ready is about an earlier spec until the NodeClass controller has seen the current one.
  if (ready.observedGeneration === metadata.generation) return undefined;
  return nodeClassNotReady(
    `the conditions of EC2NodeClass ${metadata.name} are about generation ${ready.observedGeneration ?? 0}, and it is at ${metadata.generation ?? 0}`,
  );
}
