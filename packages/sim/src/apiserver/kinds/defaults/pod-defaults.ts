import { isJsonObject } from '@karpenter/core/schema';
import { type Draft, ensureObject, fill, objectAt, objectsAt, textAt } from '../draft.ts';

/** Defaults of pods, but not of pod templates. */
export function defaultPod(pod: Draft): void {
  const spec = ensureObject(pod, 'spec');
  fill(spec, { enableServiceLinks: true });
  for (const container of [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')]) {
    requestLimits(ensureObject(container, 'resources'));
    if (spec['hostNetwork'] === true) openHostPorts(container);
  }
  const ofPod = objectAt(spec, 'resources');
  if (ofPod) requestLimits(ofPod);
}

/** A resource with a limit and no request gets the limit as its request. */
function requestLimits(resources: Draft): void {
  const limits = objectAt(resources, 'limits');
  if (!limits || Object.keys(limits).length === 0) return;
  const requests = ensureObject(resources, 'requests');
  if (isJsonObject(limits)) fill(requests, limits);
}

function openHostPorts(container: Draft): void {
  for (const port of objectsAt(container, 'ports')) {
    if (port['containerPort'] !== undefined) fill(port, { hostPort: port['containerPort'] });
  }
}

/** The deprecated `serviceAccount` always equals `serviceAccountName`, and the latter takes precedence. */
export function defaultPodSpec(spec: Draft): void {
  const account = textAt(spec, 'serviceAccountName') || textAt(spec, 'serviceAccount');
  if (account === '') return;
  spec['serviceAccountName'] = account;
  spec['serviceAccount'] = account;
}
