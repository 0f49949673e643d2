import { coreSettings, parseSettings } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { describe, expect, it } from 'vitest';
import { workloadTrim } from './upcoming-workloads.ts';

const settings = (gates: string) => parseSettings(coreSettings, [`--feature-gates=${gates}`], {}).settings;
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main' }] } };
const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
const selector = { matchLabels: { app: 'web' } };
const metadata = { name: 'web', namespace: 'default', uid: 'u', resourceVersion: '1' };

describe('what caches keep of workloads', () => {
  const trim = workloadTrim(settings('CapacityBuffer=false'));

  it('is how many pods a ReplicaSet is going to have, and its selector', () => {
    const stored = {
      metadata: { ...metadata, annotations },
      spec: { replicas: 3, selector, template },
      status: { replicas: 1, conditions: [{ type: 'ReplicaFailure', status: 'True' }] },
    };
    expect(trim(kinds.replicaSet)?.(stored)).toEqual({
      metadata,
      spec: { replicas: 3, selector },
      status: { replicas: 1, conditions: [{ type: 'ReplicaFailure', status: 'True' }] },
    });
  });

  it('is also the template of a ReplicaSet that has reported no pods and is to have some', () => {
    const stored = (replicas: number) => ({ metadata, spec: { replicas, selector, template } });
    expect(trim(kinds.replicaSet)?.(stored(3))).toEqual(stored(3));
    expect(trim(kinds.replicaSet)?.(stored(0))).toEqual({ metadata, spec: { replicas: 0, selector } });
  });

  it('is how many pods a Job is going to have', () => {
    const spec = { parallelism: 2, completions: 4, suspend: false };
    const stored = { metadata, spec: { ...spec, template }, status: { active: 1, succeeded: 1 } };
    expect(trim(kinds.job)?.(stored)).toEqual({ metadata, spec, status: { succeeded: 1 } });
  });

  it('is all of other kinds, and of ReplicaSets while buffers may refer to their templates', () => {
    expect(trim(kinds.deployment)).toBeUndefined();
    expect(workloadTrim(settings('CapacityBuffer=true'))(kinds.replicaSet)).toBeUndefined();
  });
});
