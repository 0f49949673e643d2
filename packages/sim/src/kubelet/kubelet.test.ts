import { durationMs } from '@karpenter/core/values';
import type { Pod, PodSpec } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { podInfo } from '../kube-scheduler/pods/pod-info.ts';
import { Kubelet } from './kubelet.ts';
import { isOwnNode, nodeObject } from './node-object.ts';
import type { SimulatedNode } from './simulated-node.ts';
import { nodeUsage, podUsage } from './usage.ts';

const start = Date.UTC(2026, 0, 1);
const simulatedNode: SimulatedNode = {
  name: 'n',
  providerID: 'aws:///us-west-2a/i-1',
  zone: 'us-west-2a',
  instanceType: 'g5.xlarge',
  capacity: { cpu: '4', memory: '8Gi', pods: '3', 'nvidia.com/gpu': 1 },
  allocatable: { cpu: '3900m', memory: '7Gi', pods: '3', 'nvidia.com/gpu': 1 },
};
const settled = { isReady: true, hasFailed: false, hasDevices: true };

function kubeletWith(node: SimulatedNode = simulatedNode): Kubelet {
  const kubelet = new Kubelet(node, start);
  kubelet.registeredAt = start;
  kubelet.observe(nodeObject(node, settled, start));
  return kubelet;
}

const podOf = (name: string, requests: Record<string, string>, spec: Partial<PodSpec> = {}): Pod => ({
  metadata: { name, namespace: 'default', uid: name },
  spec: { containers: [{ name: 'main', resources: { requests } }], ...spec },
});

const admit = (kubelet: Kubelet, pod: Pod) =>
  kubelet.admit(podInfo(pod), { uid: pod.metadata?.uid ?? '', admittedAt: start, podIp: '' });

describe('a kubelet', () => {
  it.each([
    ['cpu', { cpu: '4' }, 'requested: 4000, used: 1000, capacity: 3900'],
    ['memory', { memory: '8Gi' }, 'requested: 8589934592, used: 0, capacity: 7516192768'],
    ['nvidia.com/gpu', { 'nvidia.com/gpu': '2' }, 'requested: 2, used: 0, capacity: 1'],
  ])('rejects a pod when it is out of %s', (resource, requests, figures) => {
    const kubelet = kubeletWith();
    expect(admit(kubelet, podOf('first', { cpu: '1' }))).toBeUndefined();

    expect(admit(kubelet, podOf('late', requests))).toEqual({
      reason: `OutOf${resource}`,
      message: `Node didn't have enough resource: ${resource}, ${figures}`,
    });
  });

  it('rejects a pod beyond maxPods until another one is gone', () => {
    const kubelet = kubeletWith();
    for (const name of ['a', 'b', 'c']) expect(admit(kubelet, podOf(name, {}))).toBeUndefined();
    expect(admit(kubelet, podOf('d', {}))).toMatchObject({ reason: 'OutOfpods' });

    kubelet.forget('default/a');

    expect(admit(kubelet, podOf('d', {}))).toBeUndefined();
  });

  it('rejects a pod whose node affinity does not match', () => {
    const pod = podOf('stray', {}, { nodeSelector: { 'topology.kubernetes.io/zone': 'us-west-2b' } });

    expect(admit(kubeletWith(), pod)).toEqual({
      reason: 'NodeAffinity',
      message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    });
  });

  it('registers, becomes ready and reports devices later', () => {
    const boot = { register: durationMs(30_000), ready: durationMs(20_000) };
    const devices = { names: ['nvidia.com/gpu'], after: durationMs(15_000) };
    const kubelet = new Kubelet({ ...simulatedNode, boot, devices }, start);
    expect(kubelet.registersAt).toBe(start + 30_000);
    kubelet.registeredAt = start + 30_000;
    const gpus = (at: number) =>
      nodeObject(kubelet.node, kubelet.stateAt(at), at).status?.allocatable?.['nvidia.com/gpu'];

    expect(kubelet.stateAt(start + 49_999)).toMatchObject({ isReady: false });
    expect(kubelet.stateAt(start + 50_000)).toMatchObject({ isReady: true, hasDevices: false });
    expect([gpus(start + 64_999), gpus(start + 65_000)]).toEqual([undefined, '1']);
  });

  it('does not boot again after a restart and knows what it reported before', () => {
    const boot = { register: durationMs(0), ready: durationMs(20_000) };
    const devices = { names: ['nvidia.com/gpu'], after: durationMs(15_000) };
    const node = { ...simulatedNode, boot, devices };
    const created = { metadata: { creationTimestamp: new Date(start).toISOString() } };
    const at = start + 60_000;
    const ready = new Kubelet(node, at);
    ready.resumeNode({ ...nodeObject(node, settled, start), ...created });
    expect(ready.stateAt(at)).toEqual(settled);
    expect(ready.reported).toEqual(settled);
    const booting = new Kubelet(node, start + 5_000);
    booting.resumeNode({ ...nodeObject(node, { ...settled, isReady: false }, start), ...created });
    expect(booting.readyAt).toBe(start + 20_000);
  });

  it('distinguishes its own Node from another of the same name', () => {
    const own = nodeObject(simulatedNode, settled, start);
    expect(isOwnNode(simulatedNode, own)).toBe(true);
    expect(isOwnNode({ ...simulatedNode, providerID: 'aws:///us-west-2a/i-2' }, own)).toBe(false);
    expect(isOwnNode(simulatedNode, { metadata: { name: 'n' }, spec: own.spec ?? {} })).toBe(false);
  });

  it('has no registration time if it never joins', () => {
    expect(new Kubelet({ ...simulatedNode, boot: { register: 'never' } }, start).registersAt).toBeUndefined();
  });

  it('removes the uninitialized taint at once and the taints of daemons after their delay', () => {
    const kubelet = kubeletWith({
      ...simulatedNode,
      clearedTaints: [{ key: 'cni', after: durationMs(5_000) }],
    });
    const clears = (key: string, at: number) => kubelet.shouldClear({ key, effect: 'NoSchedule' }, at);

    expect(clears('node.cloudprovider.kubernetes.io/uninitialized', start)).toBe(true);
    expect([clears('cni', start + 4_999), clears('cni', start + 5_000)]).toEqual([false, true]);
    expect(clears('karpenter.sh/unregistered', start + 60_000)).toBe(false);
  });

  it('registers a node with the labels and conditions of a real one', () => {
    expect(nodeObject(simulatedNode, { ...settled, isReady: false }, start)).toMatchObject({
      metadata: {
        labels: {
          'kubernetes.io/hostname': 'n',
          'kubernetes.io/arch': 'amd64',
          'kubernetes.io/os': 'linux',
          'node.kubernetes.io/instance-type': 'g5.xlarge',
          'topology.kubernetes.io/zone': 'us-west-2a',
        },
      },
      spec: { providerID: 'aws:///us-west-2a/i-1' },
      status: {
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: 'Ready', status: 'False', reason: 'KubeletNotReady' }),
        ]),
      },
    });
  });
});

describe('usage', () => {
  const running = (name: string): Pod => ({
    ...podOf(name, { cpu: '1', memory: '1Gi' }),
    status: { phase: 'Running' },
  });

  const milli = (cpu: string | undefined) => Number(cpu?.replace('m', ''));

  it('of a pod is a constant share of its requests, and none before it runs', () => {
    const usage = podUsage(running('p'));

    expect(usage).toEqual(podUsage(running('p')));
    expect(milli(usage?.['main']?.cpu)).toBeGreaterThanOrEqual(200);
    expect(milli(usage?.['main']?.cpu)).toBeLessThan(900);
    expect(podUsage(podOf('p', { cpu: '1' }))).toBeUndefined();
  });

  it('of a node is the sum of its pods and the system', () => {
    const use = (pod: Pod) => milli(podUsage(pod)?.['main']?.cpu);

    expect(nodeUsage([])).toEqual({ cpu: '50m', memory: '400Mi' });
    expect(milli(nodeUsage([running('a'), running('b')]).cpu)).toBe(
      50 + use(running('a')) + use(running('b')),
    );
  });
});
