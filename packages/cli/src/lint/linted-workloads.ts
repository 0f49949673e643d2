import type { LintedBudget, LintedWorkload } from '@karpenter/core/lint';
import { isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { podRequests, resourceAmount } from '@karpenter/core/values';
import { type NamedManifest, templateOf } from '../simulate/index.ts';

/** A workload as rules see it: its template and how many pods it has. */
export function lintedWorkload(manifest: NamedManifest): LintedWorkload {
  const { kind, namespace, name } = manifest;
  const pod = templateOf(jobOf(manifest));
  return {
    kind,
    namespace,
    name,
    labels: pod.metadata?.labels ?? {},
    annotations: pod.metadata?.annotations ?? {},
    replicas: replicasOf(manifest),
    cpu: resourceAmount(podRequests(pod), 'cpu'),
    spec: pod.spec,
  };
}

/** The Job that a CronJob makes; every other workload is itself. */
function jobOf(manifest: NamedManifest): NamedManifest {
  const job = manifest.kind === 'CronJob' ? member(specOf(manifest.object), 'jobTemplate') : undefined;
  return job !== undefined && isJsonObject(job) ? { ...manifest, object: job } : manifest;
}

function specOf(object: JsonObject): Json | undefined {
  return member(object, 'spec');
}

function replicasOf({ object }: NamedManifest): number {
  const replicas = member(specOf(object), 'replicas');
  return typeof replicas === 'number' ? replicas : 1;
}

/** The API server's check has run already, so that fields have the types of their kind. */
export function lintedBudget({ object, namespace, name }: NamedManifest): LintedBudget {
  const spec = specOf(object) as
    | Pick<LintedBudget, 'selector' | 'minAvailable' | 'maxUnavailable'>
    | undefined;
  return { namespace, name, ...spec };
}
