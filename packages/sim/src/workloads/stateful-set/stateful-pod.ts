import { kinds } from '@karpenter/kube/client';
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { PersistentVolumeClaim, Pod, Volume } from 'kubernetes-types/core/v1.js';
import { podFrom } from '../pod-template.ts';

export const revisionLabel = 'controller-revision-hash';

export function ordinalOf(set: StatefulSet, { metadata }: Pod): number | undefined {
  const prefix = `${set.metadata?.name ?? ''}-`;
  const name = metadata?.name ?? '';
  const ordinal = name.slice(prefix.length);
  return name.startsWith(prefix) && /^\d+$/.test(ordinal) ? Number(ordinal) : undefined;
}

export function firstOrdinal({ spec }: StatefulSet): number {
  return spec?.ordinals?.start ?? 0;
}

function claimName(template: PersistentVolumeClaim, podName: string): string {
  return `${template.metadata?.name ?? ''}-${podName}`;
}

/** The pod of an ordinal. It always has the same name, and so the same claims, whenever it is recreated. */
export function statefulPod(set: StatefulSet, ordinal: number, revision: string): Pod {
  const metadata = set.metadata ?? {};
  const name = `${metadata.name ?? ''}-${ordinal}`;
  const template = set.spec?.template ?? {};
  const pod = podFrom(
    template,
    { kind: kinds.statefulSet, metadata },
    {
      name,
      labels: {
        [revisionLabel]: revision,
        'statefulset.kubernetes.io/pod-name': name,
        'apps.kubernetes.io/pod-index': String(ordinal),
      },
    },
  );
  if (template.spec === undefined) return pod;
  const serviceName = set.spec?.serviceName;
  return {
    ...pod,
    spec: {
      ...template.spec,
      hostname: name,
      ...(serviceName && { subdomain: serviceName }),
      volumes: withClaims(template.spec.volumes ?? [], set.spec?.volumeClaimTemplates ?? [], name),
    },
  };
}

function withClaims(
  volumes: readonly Volume[],
  templates: readonly PersistentVolumeClaim[],
  podName: string,
): Volume[] {
  const claimed = templates.map((template) => ({
    name: template.metadata?.name ?? '',
    persistentVolumeClaim: { claimName: claimName(template, podName) },
  }));
  const names = new Set(claimed.map(({ name }) => name));
  return [...claimed, ...volumes.filter(({ name }) => !names.has(name))];
}

export function claimsOfPod(set: StatefulSet, podName: string): readonly PersistentVolumeClaim[] {
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...template.metadata,
      name: claimName(template, podName),
      namespace: set.metadata?.namespace ?? 'default',
      labels: { ...template.metadata?.labels, ...set.spec?.selector.matchLabels },
    },
    ...(template.spec !== undefined && { spec: template.spec }),
  }));
}
