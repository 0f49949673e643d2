import { refused } from '@karpenter/testkit/aws-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { createCloud } from '../cloud.ts';

const start = () =>
  createCloud({ clock: new VirtualClock(Date.UTC(2026, 10, 16)), seed: 7, clusterName: 'prod' });

const al2023 = (release: string, minor = '1.36') =>
  `/aws/service/eks/optimized-ami/${minor}/amazon-linux-2023/x86_64/standard/amazon-eks-node-al2023-x86_64-standard-${minor}-${release}/image_id`;
const al2 = (release: string) =>
  `/aws/service/eks/optimized-ami/1.32/amazon-linux-2/amazon-eks-node-1.32-${release}/image_id`;
const bottlerocket = (release: string) => `/aws/service/bottlerocket/aws-k8s-1.36/arm64/${release}/image_id`;

describe('the image of a pinned release', () => {
  it.each([
    ['al2023@v20240807', al2023('v20240807'), 'amazon-eks-node-al2023-x86_64-standard-1.36-v20240807'],
    ['al2023 for another Kubernetes', al2023('v20250203', '1.31'), 'standard-1.31-v20250203'],
    ['al2023 of a leap day', al2023('v20240229'), 'v20240229'],
    ['al2@v20240307', al2('v20240307'), 'amazon-eks-node-1.32-v20240307'],
    ['bottlerocket@v1.20.3', bottlerocket('1.20.3'), 'bottlerocket-aws-k8s-1.36-aarch64-v1.20.3-'],
  ])('of %s exists once its parameter is read, under the same id every time', async (_, Name, name) => {
    const idIn = async ({ services }: ReturnType<typeof start>) =>
      (await services.ssm.getParameter({ Name })).Parameter?.Value ?? '';
    const cloud = start();
    const id = await idIn(cloud);
    const { Images } = await cloud.services.ec2.describeImages({ ImageIds: [id], IncludeDeprecated: true });
    expect(Images?.[0]?.Name).toContain(name);
    expect([await idIn(cloud), await idIn(start())]).toEqual([id, id]);
  });

  it.each([
    ['a day in the future', al2023('v20271116')],
    ['a day that no calendar has', al2023('v20241345')],
    ['the thirtieth of February', al2023('v20240230')],
    ['a day before the series began', al2023('v20200101')],
    ['a word', al2023('newest')],
    ['a date that is too short', al2023('v2024080')],
    ['another version before the first', bottlerocket('0.5.0')],
    ['two numbers', bottlerocket('1.20')],
    ['an image of another folder', al2023('v20240807').replace('/standard/', '/nvidia/')],
    ['a parameter of somebody else', '/mine/v20240807/image_id'],
  ])('does not exist for %s', async (_, Name) => {
    await refused(start().services.ssm.getParameter({ Name }), 'ParameterNotFound');
  });

  it('is deprecated two years after its day', async () => {
    const cloud = start();
    const deprecation = async (release: string) => {
      const { Parameter } = await cloud.services.ssm.getParameter({ Name: al2023(release) });
      const { Images } = await cloud.services.ec2.describeImages({
        ImageIds: [Parameter?.Value ?? ''],
        IncludeDeprecated: true,
      });
      return Images?.[0]?.DeprecationTime;
    };
    expect([await deprecation('v20240101'), await deprecation('v20260101')]).toEqual([
      '2025-12-31T00:00:00.000Z',
      '2028-01-01T00:00:00.000Z',
    ]);
  });

  it('stays in an account that is saved and restored', async () => {
    const cloud = start();
    const { Parameter } = await cloud.services.ssm.getParameter({ Name: al2023('v20240807') });
    const saved = cloud.save();
    const restored = createCloud({ clock: new VirtualClock(), seed: 7, clusterName: 'prod', saved });
    expect(restored.world.images.has(Parameter?.Value ?? '')).toBe(true);
  });

  it('is not there for a name of a million digits', async () => {
    const { ssm } = start().services;
    await expect(ssm.getParameter({ Name: `/${'1'.repeat(1_000_000)}` })).rejects.toThrow();
  });
});
