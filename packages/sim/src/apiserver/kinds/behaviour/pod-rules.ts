import type { FieldError, JsonObject } from '@karpenter/core/schema';
import { type Draft, ensureObject, fill, numberAt, objectAt, objectsAt, valueAt } from '../draft.ts';
import { podSpec } from '../validation/pods/pod-spec.ts';
import { podUpdate } from '../validation/pods/pod-update.ts';
import { qualityOfService } from '../validation/pods/quality-of-service.ts';
import { gatedNode } from '../validation/pods/scheduling.ts';
import { podSelectors } from './field-selectors.ts';
import type { ServedKindRules } from './kind-rules.ts';

function newPod(pod: Draft): void {
  const spec = ensureObject(pod, 'spec');
  const status: Draft = { phase: 'Pending', qosClass: qualityOfService(pod) };
  if (objectsAt(spec, 'schedulingGates').length > 0) status['conditions'] = [gatedCondition];
  if ((numberAt(spec, 'terminationGracePeriodSeconds') ?? 0) < 0) spec['terminationGracePeriodSeconds'] = 1;
  pod['status'] = status;
}

const gatedCondition = {
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: null,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};

/** A status write must not change the QoS class or the owner references of a pod. */
function podStatus(pod: JsonObject, old: JsonObject): JsonObject {
  const metadata: Draft = { ...objectAt(pod, 'metadata') };
  const owners = valueAt(old, 'metadata', 'ownerReferences');
  if (owners === undefined) delete metadata['ownerReferences'];
  else metadata['ownerReferences'] = owners;
  const status: Draft = { ...objectAt(pod, 'status') };
  const quality = valueAt(old, 'status', 'qosClass');
  if (quality !== undefined) fill(status, { qosClass: quality });
  return { ...old, metadata, status };
}

function checkPod(pod: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const errors = podSpec('spec', objectAt(pod, 'spec') ?? {});
  return old ? errors : [...errors, ...gatedNode('spec.nodeName', valueAt(pod, 'spec') ?? {})];
}

export const podRules: ServedKindRules = {
  countsGenerations: true,
  fieldSelectors: podSelectors,
  prepareCreate: newPod,
  prepareStatus: podStatus,
  validate: checkPod,
  validateUpdate: podUpdate,
};
