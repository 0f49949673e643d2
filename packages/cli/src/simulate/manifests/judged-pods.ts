import { awsLabelPolicy } from '@karpenter/aws';
import { PodJudge } from '@karpenter/core/pending-pods';
import { requirementPolicy } from '@karpenter/core/requirements';
import type { PodView, StorageView } from '@karpenter/core/scheduling';
import type { IgnoredPod } from '../simulation.ts';

export interface JudgedPods {
  readonly pods: readonly PodView[];
  readonly ignored: readonly IgnoredPod[];
}

/** Pods to plan for, and those that planning ignores with its reason. */
export function judgedPods(candidates: readonly PodView[], storage: StorageView | undefined): JudgedPods {
  const judge = new PodJudge({
    policy: requirementPolicy(awsLabelPolicy),
    ...(storage !== undefined && { storage }),
  });
  const pods: PodView[] = [];
  const ignored: IgnoredPod[] = [];
  for (const pod of candidates) {
    const verdict = judge.validate(pod);
    const { name, namespace, uid } = pod.metadata;
    if (verdict.verdict === 'ignored') ignored.push({ name, namespace, uid, message: verdict.message });
    else pods.push(pod);
  }
  return { pods, ignored };
}
