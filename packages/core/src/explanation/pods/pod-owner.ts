import type { ClusterPod } from '../../state/index.ts';
import { controllerReference } from '../../values/index.ts';
import type { ExplanationSection } from '../explanation.ts';
import { fact } from '../wording.ts';

/** Where to change the pod: most fields of a pod cannot be changed after it was created. */
export function ownerSection(pod: ClusterPod): readonly ExplanationSection[] {
  const owner = workloadOf(pod);
  const text =
    owner === undefined
      ? 'no controller owns the pod: delete it and create it with the change'
      : `the pod is made from the template of ${owner}: make changes of the pod there`;
  return [{ title: 'Where to change the pod', findings: [fact(text)] }];
}

/** The Deployment of a ReplicaSet is known by the hash that its pods carry as a label. */
function workloadOf({ metadata }: ClusterPod): string | undefined {
  const owner = controllerReference(metadata);
  if (owner === undefined) return undefined;
  const hash = metadata.labels?.['pod-template-hash'];
  return owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`)
    ? `Deployment ${owner.name.slice(0, -hash.length - 1)}`
    : `${owner.kind} ${owner.name}`;
}
