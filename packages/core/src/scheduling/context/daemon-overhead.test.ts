import { instanceType, planOptions, pod, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { plan } from '../plan.ts';

const arch = 'kubernetes.io/arch';
const amd = instanceType('amd', { price: 1 });
const arm = instanceType('arm', { price: 2, arch: 'arm64' });

const planned = (parts: Parameters<typeof snapshot>[0]) =>
  plan(snapshot({ types: [amd], pods: [pod('p', { cpu: '3' })], ...parts }), planOptions);
const cpuWith = (daemon: Parameters<typeof pod>[1], parts: Parameters<typeof snapshot>[0] = {}) =>
  planned({ daemonPods: [pod('d', { cpu: '500m', ...daemon })], ...parts }).newNodes[0]?.requests['cpu'];

describe('daemons', () => {
  it('run in spite of PreferNoSchedule taints, but not of NoSchedule ones', () => {
    const tainted = (effect: 'NoSchedule' | 'PreferNoSchedule') => [
      pool('default', { taints: [{ key: 'x', effect }] }),
    ];
    const pods = [pod('p', { cpu: '3', tolerations: [{ operator: 'Exists' }] })];
    expect(cpuWith({}, { pods, pools: tainted('PreferNoSchedule') })).toBe('3500m');
    expect(cpuWith({}, { pods, pools: tainted('NoSchedule') })).toBe('3');
  });

  it('run in spite of startup taints', () => {
    const pools = [pool('default', { startupTaints: [{ key: 'x', effect: 'NoSchedule' }] })];
    expect(cpuWith({}, { pools })).toBe('3500m');
  });

  it('run where one of their required terms matches, whatever they prefer', () => {
    const term = (value: string) => ({
      matchExpressions: [{ key: arch, operator: 'In', values: [value] }],
    });
    const required = (...values: readonly string[]) => ({
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: values.map(term) },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: term('s390x') }],
    });
    expect(cpuWith({ affinity: { nodeAffinity: required('arm64', 'amd64') } })).toBe('3500m');
    expect(cpuWith({ affinity: { nodeAffinity: required('arm64') } })).toBe('3');
  });

  it('count in the requests of a node only as far as all its instance types run them', () => {
    const onAmd = { nodeSelector: { [arch]: 'amd64' } };
    expect(cpuWith(onAmd, { types: [amd] })).toBe('3500m');
    expect(cpuWith(onAmd, { types: [amd, arm] })).toBe('3');
  });

  it('use host ports of their nodes, which the message shows as missing instance types', () => {
    const { rejections } = planned({
      pods: [pod('p', { ports: [8080] })],
      daemonPods: [pod('d', { ports: [8080] })],
    });
    expect(rejections[0]?.message).toMatch(
      /^no instance type met the scheduling requirements or had enough resources or had a required offering, /,
    );
  });

  it('use no host ports of types they do not run on', () => {
    const onAmd = pod('d', { ports: [8080], nodeSelector: { [arch]: 'amd64' } });
    const { newNodes } = planned({
      pods: [pod('p', { ports: [8080] })],
      daemonPods: [onAmd],
      types: [amd, arm],
    });
    expect(newNodes).toMatchObject([{ instanceTypes: ['arm'] }]);
  });
});
