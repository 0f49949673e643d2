import { coreSettings, parseSettings } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import { awsSettings } from './aws-settings.ts';

const parse = (args: readonly string[], env: Record<string, string> = {}) =>
  parseSettings({ ...coreSettings, ...awsSettings }, args, env);

describe('AWS settings', () => {
  it('have the defaults of Karpenter', () => {
    expect(parseSettings(awsSettings, ['--cluster-name=dev'], {}).settings).toEqual({
      clusterName: 'dev',
      clusterEndpoint: '',
      clusterCaBundle: '',
      interruptionQueue: '',
      rebalancePolicy: 'Ignore',
      rebalanceReplacementsPerHour: 10,
      isolatedVpc: false,
      eksControlPlane: false,
      disableDryRun: false,
      enableZonalShift: false,
      vmMemoryOverheadPercent: 0.075,
      reservedEnis: 0,
      amiRefreshInterval: 60_000,
      subnetRefreshInterval: 60_000,
    });
  });

  it('are read together with those of core', () => {
    const env = {
      CLUSTER_NAME: 'dev',
      VM_MEMORY_OVERHEAD_PERCENT: '0.1',
      AMI_REFRESH_INTERVAL: '5m',
      LOG_LEVEL: 'debug',
    };
    expect(parse(['--isolated-vpc', '--reserved-enis=1'], env).settings).toMatchObject({
      clusterName: 'dev',
      vmMemoryOverheadPercent: 0.1,
      amiRefreshInterval: 300_000,
      isolatedVpc: true,
      reservedEnis: 1,
      logLevel: 'debug',
    });
  });

  it('report every problem together', () => {
    const env = {
      CLUSTER_ENDPOINT: 'dev.example',
      VM_MEMORY_OVERHEAD_PERCENT: '-0.1',
      RESERVED_ENIS: '-1',
      AMI_REFRESH_INTERVAL: '59s',
      SUBNET_REFRESH_INTERVAL: '1s',
      LOG_LEVEL: 'loud',
    };
    expect(() => parse([], env)).toThrow(
      'validating cli flags / env vars, invalid LOG_LEVEL "loud"; missing field, cluster-name; ' +
        'cluster endpoint URL is not valid; vm-memory-overhead-percent cannot be negative; ' +
        'reserved-enis cannot be negative; ami-refresh-interval must be at least 1m; ' +
        'subnet-refresh-interval must be at least 1m',
    );
  });

  it('fall back to the default when a variable is malformed', () => {
    const { settings, warnings } = parse([], { CLUSTER_NAME: 'dev', VM_MEMORY_OVERHEAD_PERCENT: 'some' });
    expect(settings.vmMemoryOverheadPercent).toBe(0.075);
    expect(warnings).toEqual([
      'VM_MEMORY_OVERHEAD_PERCENT: "some" is not a fraction of one that is not negative; 0.075 is used instead',
    ]);
  });

  it.each(['https://dev.example', 'http://10.0.0.1:6443/path'])('accept %s as an endpoint', (url) => {
    expect(parse(['--cluster-name=dev', `--cluster-endpoint=${url}`]).settings.clusterEndpoint).toBe(url);
  });

  it.each(['/path', 'https://', 'dev.example:443'])('reject %s as an endpoint', (url) => {
    expect(() => parse(['--cluster-name=dev', `--cluster-endpoint=${url}`])).toThrow(
      'cluster endpoint URL is not valid',
    );
  });
});
