import { awsLabelPolicy } from '@karpenter/aws';
import { PodJudge, type PodVerdict } from '@karpenter/core/pending-pods';
import { requirementPolicy } from '@karpenter/core/requirements';
import type { PodView, StorageView } from '@karpenter/core/scheduling';
import type { IgnoredPod } from '../simulation.ts';

export interface JudgedPods {
  readonly pods: readonly PodView[];
  readonly ignored: readonly IgnoredPod[];
}

/** Pods by how they come to need a node. */
export interface Candidates {
  readonly waiting: readonly PodView[];
  /** On nodes that are going away. */
  readonly moving: readonly PodView[];
}

/** Pods to plan for, and those that planning ignores with its reason. */
export function judgedPods({ waiting, moving }: Candidates, storage: StorageView | undefined): JudgedPods {
  const judge = new PodJudge({
    policy: requirementPolicy(awsLabelPolicy),
    ...(storage !== undefined && { storage }),
  });
  const pods: PodView[] = [];
  const ignored: IgnoredPod[] = [];
  const file = (pod: PodView, verdict: PodVerdict): void => {
    const { name, namespace, uid } = pod.metadata;
    if (verdict.verdict === 'ignored') ignored.push({ name, namespace, uid, message: verdict.message });
    else pods.push(pod);
  };
  for (const pod of moving) file(pod, judge.validateMoving(pod));
  for (const pod of waiting) file(pod, judge.validate(pod));
  return { pods, ignored };
}
