import type { CompleteOwnerReference } from '@karpenter/core/schema';
import { apiVersionOf, type Kind, type Metadata } from '@karpenter/kube/client';
import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import { canonicalText } from '../kube-scheduler/pods/pod-selection.ts';
import { hashText, safeName } from '../objects/chance.ts';

export interface PodOwner {
  readonly kind: Kind;
  readonly metadata: Metadata;
}

export function controllerReference({ kind, metadata }: PodOwner): CompleteOwnerReference {
  const { name = '', uid = '' } = metadata;
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** A pod from a template with its owner reference; without a name the API server generates one. */
export function podFrom(template: PodTemplateSpec, owner: PodOwner, extra: Partial<ObjectMeta> = {}): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(extra.name === undefined && { generateName: `${owner.metadata.name ?? ''}-` }),
      ...(owner.metadata.namespace !== undefined && { namespace: owner.metadata.namespace }),
      ...(finalizers !== undefined && { finalizers }),
      ...extra,
      labels: { ...labels, ...extra.labels },
      annotations: { ...annotations, ...extra.annotations },
      ownerReferences: [controllerReference(owner)],
    },
    ...(template.spec !== undefined && { spec: template.spec }),
  };
}

/** A short hash of a template. Differs from the hash of Kubernetes, but is equal for equal templates. */
export function templateHash(template: PodTemplateSpec | undefined, collisions = 0): string {
  const hash = hashText(`${canonicalText(template)}${collisions === 0 ? '' : collisions}`);
  return safeName(hash, 10).slice(0, 10);
}
