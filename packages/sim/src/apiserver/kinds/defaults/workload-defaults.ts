import type { Json } from '@karpenter/core/schema';
import { type Draft, ensureObject, fill, objectAt } from '../draft.ts';

function defaultRollingUpdate(strategy: Draft, values: Readonly<Record<string, Json>>): void {
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate') fill(ensureObject(strategy, 'rollingUpdate'), values);
}

export function defaultDeployment(spec: Draft): void {
  defaultRollingUpdate(ensureObject(spec, 'strategy'), { maxUnavailable: '25%', maxSurge: '25%' });
}

export function defaultDaemonSet(spec: Draft): void {
  defaultRollingUpdate(ensureObject(spec, 'updateStrategy'), { maxUnavailable: 1, maxSurge: 0 });
}

export function defaultStatefulSet(spec: Draft): void {
  const strategy = ensureObject(spec, 'updateStrategy');
  // Unlike in other workloads, an explicit type without `rollingUpdate` gets no default for it.
  const isNamed = strategy['type'] !== undefined && strategy['type'] !== '';
  if (!isNamed || strategy['rollingUpdate'] !== undefined) {
    defaultRollingUpdate(strategy, { partition: 0 });
  }
  fill(ensureObject(spec, 'persistentVolumeClaimRetentionPolicy'), {
    whenDeleted: 'Retain',
    whenScaled: 'Retain',
  });
}

export function defaultJob(job: Draft): void {
  const spec = ensureObject(job, 'spec');
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1;
  fill(spec, {
    parallelism: 1,
    backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2 ** 31 - 1,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
  });
  const labels = objectAt(spec, 'template', 'metadata', 'labels');
  const metadata = ensureObject(job, 'metadata');
  if (labels && Object.keys(objectAt(metadata, 'labels') ?? {}).length === 0)
    metadata['labels'] = { ...labels };
}
