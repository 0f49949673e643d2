import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EC2NodeClassSpec } from './ec2-node-class.ts';
import { ec2NodeClassHash, type HashedEC2NodeClassSpec } from './hash.ts';

const facts = { amiFamily: 'Custom', caBundle: 'test-ca-bundle' };
const ebs = {
  deleteOnTermination: false,
  encrypted: false,
  iops: 0,
  kmsKeyID: 'fakeKMSKeyID',
  snapshotID: 'fakeSnapshot',
  throughput: 0,
  volumeSize: '2G',
  volumeType: 'standard',
} as const;
const metadataOptions = {
  httpEndpoint: 'disabled',
  httpProtocolIPv6: 'disabled',
  httpPutResponseHopLimit: 1,
  httpTokens: 'optional',
} as const;
const golden: HashedEC2NodeClassSpec = {
  role: 'role-1',
  tags: { 'keyTag-1': 'valueTag-1', 'keyTag-2': 'valueTag-2' },
  context: 'fake-context',
  detailedMonitoring: false,
  associatePublicIPAddress: false,
  metadataOptions,
  blockDeviceMappings: [{ deviceName: 'map-device-1', ebs }, { deviceName: 'map-device-2' }],
  userData: 'userdata-test-1',
};

const hash = (change: HashedEC2NodeClassSpec = {}): string =>
  ec2NodeClassHash({ ...golden, ...change }, facts);

const vectors: readonly (readonly [string, HashedEC2NodeClassSpec, string])[] = [
  ['nothing changed', {}, '2608468723537941485'],
  ['other user data', { userData: 'userdata-test-2' }, '2153344579995979450'],
  ['one more tag', { tags: { ...golden.tags, 'keyTag-test-3': 'valueTag-test-3' } }, '4608386791045313156'],
  ['another context', { context: 'context-2' }, '11612053647989098410'],
  ['detailed monitoring', { detailedMonitoring: true }, '11845605438531206428'],
  ['joined local disks', { instanceStorePolicy: 'RAID0' }, '6430637013089544585'],
  ['a public address', { associatePublicIPAddress: true }, '6811176403923819181'],
  ['metadata', { metadataOptions: { ...metadataOptions, httpEndpoint: 'enabled' } }, '8158886403801636337'],
  [
    'a longer way to metadata',
    { metadataOptions: { ...metadataOptions, httpPutResponseHopLimit: 10 } },
    '8968306366664488826',
  ],
  [
    'a larger volume',
    {
      blockDeviceMappings: [
        { deviceName: 'map-device-1', ebs: { ...ebs, volumeSize: '10G' } },
        { deviceName: 'map-device-2' },
      ],
    },
    '3564293065344858862',
  ],
  ['connection tracking', { connectionTracking: { tcpEstablishedTimeout: 300 } }, '12177489405137904098'],
  ['nested virtualization', { cpuOptions: { nestedVirtualization: 'enabled' } }, '17001101224536964682'],
  [
    'a profile instead of a role',
    { role: undefined, instanceProfile: 'test-instance-profile' },
    '3585768058063247698',
  ],
];

describe('ec2NodeClassHash', () => {
  it.each(vectors)('equals Karpenter’s with %s', (_, change, expected) => {
    expect(hash(change)).toBe(expected);
  });

  it('hashes the spec as the API server stores it', () => {
    const stored: EC2NodeClassSpec = {
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: [{ id: 'subnet-1' }],
      securityGroupSelectorTerms: [{ id: 'sg-1' }],
      role: 'role-1',
      metadataOptions: {
        httpEndpoint: 'enabled',
        httpProtocolIPv6: 'disabled',
        httpPutResponseHopLimit: 1,
        httpTokens: 'required',
      },
    };
    const other = {
      ...stored,
      subnetSelectorTerms: [{ id: 'subnet-2' }],
      ipPrefixCount: 2,
      amiFamily: 'AL2023' as const,
    };
    expect(ec2NodeClassHash(other, facts)).toBe(ec2NodeClassHash(stored, facts));
  });

  it('does not depend on the order of tags and block devices', () => {
    const tags = Object.fromEntries(Object.entries(golden.tags ?? {}).reverse());
    expect(hash({ tags, blockDeviceMappings: golden.blockDeviceMappings?.toReversed() })).toBe(hash());
  });

  it('depends on the AMI family and the CA bundle', () => {
    expect(ec2NodeClassHash(golden, { ...facts, amiFamily: 'AL2023' })).not.toBe(hash());
    expect(ec2NodeClassHash(golden, { ...facts, caBundle: 'other' })).not.toBe(hash());
  });

  it('distinguishes an explicit false from an absent value', () => {
    expect(hash({ detailedMonitoring: undefined })).not.toBe(hash());
  });

  it('treats equal sizes in different units as equal', () => {
    const sized = (volumeSize: string) => hash({ blockDeviceMappings: [{ ebs: { volumeSize } }] });
    expect(sized('1024Gi')).toBe(sized('1Ti'));
    expect(sized('1000G')).toBe(sized('1T'));
    expect(sized('1T')).not.toBe(sized('1Ti'));
  });

  it('treats a rootVolume of false as absent', () => {
    const flagged = (rootVolume?: boolean) =>
      hash({ blockDeviceMappings: [{ deviceName: 'a', rootVolume }] });
    expect(flagged(false)).toBe(flagged());
    expect(flagged(true)).not.toBe(flagged());
  });

  it('changes with every other hashed field', () => {
    const changes: readonly HashedEC2NodeClassSpec[] = [
      {},
      { placementGroupSelector: { name: 'a' } },
      { placementGroupSelector: { id: 'a' } },
      { kubelet: {} },
      { kubelet: { clusterDNS: ['10.0.0.10'] } },
      { kubelet: { maxPods: 0 } },
      { kubelet: { podsPerCore: 0 } },
      { kubelet: { systemReserved: { cpu: '1' } } },
      { kubelet: { kubeReserved: { cpu: '1' } } },
      { kubelet: { evictionHard: { 'memory.available': '5%' } } },
      { kubelet: { evictionSoft: { 'memory.available': '5%' } } },
      { kubelet: { evictionSoftGracePeriod: { 'memory.available': '1m' } } },
      { kubelet: { evictionSoftGracePeriod: { 'memory.available': '2m' } } },
      { kubelet: { evictionMaxPodGracePeriod: 1 } },
      { kubelet: { imageGCHighThresholdPercent: 80 } },
      { kubelet: { imageGCLowThresholdPercent: 80 } },
      { kubelet: { cpuCFSQuota: false } },
      { networkInterfaces: [] },
      { networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' }] },
      { networkInterfaces: [{ networkCardIndex: 1, deviceIndex: 0, interfaceType: 'interface' }] },
      { networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 1, interfaceType: 'interface' }] },
      { connectionTracking: { udpStreamTimeout: 60 } },
      { connectionTracking: { udpTimeout: 60 } },
      { blockDeviceMappings: [{ ebs: { volumeInitializationRate: 100 } }] },
      { blockDeviceMappings: [{ ebs: { iops: 100 } }] },
      { blockDeviceMappings: [{ ebs: { throughput: 100 } }] },
    ];
    const hashes = changes.map(hash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('changes with any user data', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        fc.pre(a !== b);
        expect(hash({ userData: a })).not.toBe(hash({ userData: b }));
      }),
    );
  });
});
