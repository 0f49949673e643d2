import { describe, expect, it } from 'vitest';
import { isGlobalSettings, movedSettings } from './global-settings.ts';

const configMap = (data: Record<string, string>) => ({
  kind: 'ConfigMap',
  metadata: { name: 'karpenter-global-settings' },
  data,
});

describe('the global settings', () => {
  it.each([
    ['aws.clusterName', 'CLUSTER_NAME'],
    ['aws.clusterEndpoint', 'CLUSTER_ENDPOINT'],
    ['aws.isolatedVPC', 'ISOLATED_VPC'],
    ['aws.vmMemoryOverheadPercent', 'VM_MEMORY_OVERHEAD_PERCENT'],
    ['aws.interruptionQueueName', 'INTERRUPTION_QUEUE'],
    ['aws.reservedENIs', 'RESERVED_ENIS'],
    ['batchMaxDuration', 'BATCH_MAX_DURATION'],
    ['batchIdleDuration', 'BATCH_IDLE_DURATION'],
  ])('have a variable for %s', (key, variable) => {
    expect(movedSettings(configMap({ [key]: 'x' }))).toEqual([{ key, value: 'x', variable }]);
  });

  it.each([
    'aws.defaultInstanceProfile',
    'aws.enablePodENI',
    'aws.enableENILimitedPodDensity',
    'aws.tags',
    'aws.tags.team',
    'unknown',
  ])('have advice instead of a variable for %s', (key) => {
    const [setting] = movedSettings(configMap({ [key]: 'x' }));
    expect(setting?.variable).toBeUndefined();
    expect(setting?.advice).not.toBe('');
  });

  it('leave out empty values', () => {
    expect(movedSettings(configMap({ 'aws.clusterName': '' }))).toEqual([]);
  });

  it('are the ConfigMap of this name only', () => {
    expect(isGlobalSettings(configMap({}))).toBe(true);
    expect(isGlobalSettings({ kind: 'ConfigMap', metadata: { name: 'other' } })).toBe(false);
  });
});
