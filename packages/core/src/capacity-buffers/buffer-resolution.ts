import { type CapacityBuffer, capacityBufferReasons } from '../api/index.ts';
import type { PodView } from '../scheduling/index.ts';
import { withLimitsAsRequests } from '../values/index.ts';
import { bufferPods } from './buffer-pods.ts';
import { bufferSize } from './buffer-size.ts';
import { type BufferReferences, resolveTemplate } from './buffer-template.ts';

/** A resolved buffer: the fields of its status, and its virtual pods. */
export interface BufferResolution {
  readonly name: string;
  readonly namespace: string;
  /** Undefined if the buffer could not be resolved. */
  readonly replicas?: number;
  readonly podTemplateRef?: { readonly name: string };
  readonly podTemplateGeneration?: number;
  readonly readyForProvisioning: BufferCondition;
  readonly pods: readonly PodView[];
}

export interface BufferCondition {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/**
 * Resolves the template and size of a buffer. Never throws for a missing reference; the condition says what
 * is wrong.
 */
export function resolveBuffer(buffer: CapacityBuffer, references: BufferReferences): BufferResolution {
  const { name, namespace = 'default' } = buffer.metadata;
  const resolved = resolveTemplate(buffer, references);
  if ('unresolved' in resolved) {
    const { reason } = capacityBufferReasons[resolved.unresolved];
    const readyForProvisioning = { status: 'False', reason, message: resolved.message } as const;
    return { name, namespace, readyForProvisioning, pods: [] };
  }
  const { scale, generation } = resolved;
  // The API server fills in requests from limits when it creates a pod, not in the template.
  const template = withLimitsAsRequests(resolved.template);
  const replicas = bufferSize(buffer.spec, template, scale);
  const { podTemplateRef } = buffer.spec;
  return {
    name,
    namespace,
    replicas,
    ...(podTemplateRef !== undefined && { podTemplateRef: { name: podTemplateRef.name } }),
    ...(generation !== undefined && { podTemplateGeneration: generation }),
    readyForProvisioning: { status: 'True', ...capacityBufferReasons.resolved },
    pods: bufferPods(buffer, template, replicas),
  };
}
