import { describe, expect, it } from 'vitest';
import { VersionProvider } from './version-provider.ts';

describe('the version of the cluster', () => {
  const options = {
    clusterName: 'dev',
    eksControlPlane: false,
    eks: { describeCluster: async () => ({ cluster: { version: '1.34' } }) },
    serverVersion: async () => ({ major: '1', minor: '35+' }),
  };

  it('comes from the API server, or from EKS if configured', async () => {
    expect(await new VersionProvider(options).get()).toBe('1.35');
    expect(await new VersionProvider({ ...options, eksControlPlane: true }).get()).toBe('1.34');
  });

  it('is reported once when it is not supported', async () => {
    let minor = '37';
    const provider = new VersionProvider({ ...options, serverVersion: async () => ({ major: '1', minor }) });
    expect(await provider.refresh()).toMatchObject({
      version: '1.37',
      unsupported: { code: 'unsupported-version' },
    });
    expect(await provider.refresh()).toEqual({ version: '1.37' });
    minor = '36';
    expect(await provider.refresh()).toEqual({ version: '1.36' });
    minor = '25';
    expect((await provider.refresh()).unsupported?.message).toContain('Kubernetes 1.25 is not supported');
  });
});
