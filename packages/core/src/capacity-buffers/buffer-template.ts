import type { CapacityBuffer } from '../api/index.ts';
import type { PodSpecView } from '../scheduling/index.ts';
import type { Labels } from '../values/index.ts';

/** The pod template of a buffer. */
export interface PodTemplateView {
  readonly metadata?: { readonly labels?: Labels };
  readonly spec: PodSpecView;
}

/** Looks up the objects that a buffer refers to, in its namespace. */
export interface BufferReferences {
  podTemplate(
    namespace: string,
    name: string,
  ): { readonly template: PodTemplateView; readonly generation?: number } | undefined;
  workload(kind: ScalableKind, namespace: string, name: string): ScalableView | undefined;
}

export type ScalableKind = 'Deployment' | 'StatefulSet' | 'ReplicaSet';

interface ScalableView {
  /** Defaults to 1. */
  readonly replicas?: number;
  readonly template: PodTemplateView;
}

/** What a buffer refers to, or why it cannot be resolved. */
export type ResolvedTemplate =
  | { readonly template: PodTemplateView; readonly scale?: number; readonly generation?: number }
  | {
      readonly unresolved: 'podTemplateNotFound' | 'scalableRefNotFound' | 'resolutionFailed';
      readonly message: string;
    };

const scalableKinds: readonly string[] = ['Deployment', 'StatefulSet', 'ReplicaSet'];

export function resolveTemplate(
  { metadata, spec }: CapacityBuffer,
  references: BufferReferences,
): ResolvedTemplate {
  const { namespace = 'default' } = metadata;
  if (spec.podTemplateRef !== undefined) {
    const { name } = spec.podTemplateRef;
    const found = references.podTemplate(namespace, name);
    return (
      found ?? { unresolved: 'podTemplateNotFound', message: `PodTemplate ${JSON.stringify(name)} not found` }
    );
  }
  if (spec.scalableRef === undefined) {
    return { unresolved: 'resolutionFailed', message: 'Neither podTemplateRef nor scalableRef is set' };
  }
  return resolveScalable(namespace, spec.scalableRef, references);
}

function resolveScalable(
  namespace: string,
  { apiGroup = '', kind, name }: NonNullable<CapacityBuffer['spec']['scalableRef']>,
  references: BufferReferences,
): ResolvedTemplate {
  if (!['', 'apps'].includes(apiGroup) || !isScalable(kind)) {
    return { unresolved: 'resolutionFailed', message: `unsupported scalableRef kind ${apiGroup}/${kind}` };
  }
  const found = references.workload(kind, namespace, name);
  if (found === undefined) {
    return { unresolved: 'scalableRefNotFound', message: `${kind}.apps ${JSON.stringify(name)} not found` };
  }
  return { template: found.template, scale: found.replicas ?? 1 };
}

function isScalable(kind: string): kind is ScalableKind {
  return scalableKinds.includes(kind);
}
