import { describe, expect, it } from 'vitest';
import type { ContainerLike, PodLike, PodSpecLike, PodStatusLike } from './pod.ts';
import { type PodResourceOptions, podLimits, podRequests, withLimitsAsRequests } from './pod-requests.ts';
import { formatResourceList, type QuantityTexts } from './resource-list.ts';

const container = (name: string, requests: QuantityTexts, limits?: QuantityTexts): ContainerLike => ({
  name,
  resources: { requests, ...(limits && { limits }) },
});
const sidecar = (name: string, requests: QuantityTexts): ContainerLike => ({
  ...container(name, requests),
  restartPolicy: 'Always',
});
const pod = (spec: PodSpecLike, status: PodStatusLike = {}): PodLike => ({ spec, status });
const requestsOf = (value: PodLike, options?: PodResourceOptions): string =>
  formatResourceList(podRequests(value, options));
const limitsOf = (value: PodLike): string => formatResourceList(podLimits(value));

describe('podRequests', () => {
  it('adds the containers', () => {
    const containers = [
      container('a', { cpu: '1', memory: '1Gi' }),
      container('b', { cpu: '500m' }),
      { name: 'c' },
    ];
    expect(requestsOf(pod({ containers }))).toBe('{"cpu":"1500m","memory":"1Gi"}');
  });

  it('is empty for a pod without containers or spec', () => {
    expect(requestsOf(pod({ containers: [] }))).toBe('{}');
    expect(requestsOf({})).toBe('{}');
  });

  it('takes an init container that requests more than the containers', () => {
    const initContainers = [container('i', { cpu: '3' }), container('j', { memory: '2Gi' })];
    const spec = { containers: [container('a', { cpu: '1', memory: '3Gi' })], initContainers };
    expect(requestsOf(pod(spec))).toBe('{"cpu":"3","memory":"3Gi"}');
  });

  it('keeps sidecars beside the containers', () => {
    const spec = { containers: [container('a', { cpu: '1' })], initContainers: [sidecar('s', { cpu: '2' })] };
    expect(requestsOf(pod(spec))).toBe('{"cpu":"3"}');
  });

  it('counts beside an init container only the sidecars that started before it', () => {
    const containers = [container('a', { cpu: '1' })];
    const [early, late] = [sidecar('s', { cpu: '2' }), container('i', { cpu: '5' })];
    expect(requestsOf(pod({ containers, initContainers: [early, late] }))).toBe('{"cpu":"7"}');
    expect(requestsOf(pod({ containers, initContainers: [late, early] }))).toBe('{"cpu":"5"}');
  });

  it('adds the overhead of the runtime', () => {
    const spec = { containers: [container('a', { cpu: '1' })], overhead: { cpu: '100m', memory: '64Mi' } };
    expect(requestsOf(pod(spec))).toBe('{"cpu":"1100m","memory":"64Mi"}');
  });

  it('lets pod-level resources replace cpu, memory and huge pages only', () => {
    const spec = {
      containers: [container('a', { cpu: '1', memory: '1Gi', 'example.com/gpu': '1' })],
      resources: { requests: { cpu: '500m', 'hugepages-2Mi': '4Mi', 'example.com/gpu': '9' } },
      overhead: { cpu: '100m' },
    };
    expect(requestsOf(pod(spec))).toBe(
      '{"cpu":"600m","example.com/gpu":"1","hugepages-2Mi":"4Mi","memory":"1Gi"}',
    );
  });

  it('names the field of an invalid quantity', () => {
    const initContainers = [container('i', { cpu: 'much' })];
    expect(() => podRequests(pod({ containers: [], initContainers }))).toThrow(
      'spec.initContainers[0].resources.requests.cpu: "much" is not a quantity',
    );
  });
});

describe('podRequests during a resize', () => {
  const spec = { containers: [container('a', { cpu: '1', memory: '1Gi' })] };
  const held = { name: 'a', resources: { requests: { cpu: '2' } }, allocatedResources: { cpu: '3' } };

  it('takes the maximum of requested, running and allocated', () => {
    expect(requestsOf(pod(spec, { containerStatuses: [held] }))).toBe('{"cpu":"3","memory":"1Gi"}');
  });

  it('ignores the status if useStatus is false', () => {
    const status = { containerStatuses: [held], resources: { requests: { cpu: '9' } } };
    expect(requestsOf(pod(spec, status), { useStatus: false })).toBe('{"cpu":"1","memory":"1Gi"}');
  });

  it('uses only the status when the resize is infeasible', () => {
    const conditions = [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }];
    const wanted = { containers: [container('a', { cpu: '64', memory: '1Gi' })] };
    expect(requestsOf(pod(wanted, { containerStatuses: [held], conditions }))).toBe('{"cpu":"3"}');
  });

  it('treats a deferred resize like one in progress', () => {
    const conditions = [{ type: 'PodResizePending', status: 'True', reason: 'Deferred' }];
    const wanted = { containers: [container('a', { cpu: '64' })] };
    expect(requestsOf(pod(wanted, { containerStatuses: [held], conditions }))).toBe('{"cpu":"64"}');
  });

  it('uses the spec while the status has no resources', () => {
    const status = { containerStatuses: [{ name: 'a', allocatedResources: { cpu: '3' } }] };
    expect(requestsOf(pod(spec, status))).toBe('{"cpu":"1","memory":"1Gi"}');
  });

  it('uses the status of sidecars but not of other init containers', () => {
    const initContainerStatuses = [{ name: 'i', resources: { requests: { cpu: '5' } } }];
    const resized = (init: ContainerLike) =>
      pod({ containers: [], initContainers: [init] }, { initContainerStatuses });
    expect(requestsOf(resized(sidecar('i', { cpu: '1' })))).toBe('{"cpu":"5"}');
    expect(requestsOf(resized(container('i', { cpu: '1' })))).toBe('{"cpu":"1"}');
  });

  it('resizes pod-level resources in the same way', () => {
    const whole = { ...spec, resources: { requests: { cpu: '4' } } };
    const status = { resources: { requests: { cpu: '6', memory: '9Gi' } }, allocatedResources: { cpu: '5' } };
    expect(requestsOf(pod(whole, status))).toBe('{"cpu":"6","memory":"1Gi"}');
  });
});

describe('podLimits', () => {
  it('adds overhead only to limits that exist', () => {
    const spec = {
      containers: [container('a', {}, { cpu: '2' }), container('b', {}, { cpu: '1' })],
      overhead: { cpu: '100m', memory: '64Mi' },
    };
    expect(limitsOf(pod(spec))).toBe('{"cpu":"3100m"}');
  });

  it('takes the pod-level limit', () => {
    const spec = {
      containers: [container('a', {}, { cpu: '2' })],
      resources: { limits: { cpu: '7', memory: '1Gi' } },
    };
    expect(limitsOf(pod(spec))).toBe('{"cpu":"7","memory":"1Gi"}');
  });

  it('counts a limit that is still in force', () => {
    const spec = { containers: [container('a', {}, { cpu: '2' })], resources: { limits: { memory: '1Gi' } } };
    const containerStatuses = [{ name: 'a', resources: { limits: { cpu: '4' } } }];
    const resources = { limits: { memory: '3Gi' } };
    expect(limitsOf(pod(spec, { containerStatuses, resources }))).toBe('{"cpu":"4","memory":"3Gi"}');
  });

  it('keeps the limit of an infeasible pod whose status has none', () => {
    const conditions = [{ type: 'PodResizePending', reason: 'Infeasible' }];
    const spec = { containers: [], resources: { limits: { memory: '1Gi' } } };
    expect(limitsOf(pod(spec, { resources: { requests: {} }, conditions }))).toBe('{"memory":"1Gi"}');
  });
});

describe('withLimitsAsRequests', () => {
  it('fills missing requests of every container and keeps existing ones', () => {
    const template = pod({
      containers: [container('a', { cpu: '1' }, { cpu: '2', memory: '1Gi' }), { name: 'b' }],
      initContainers: [{ name: 'i', resources: { limits: { cpu: '5' } } }],
    });
    expect(requestsOf(withLimitsAsRequests(template))).toBe('{"cpu":"5","memory":"1Gi"}');
    expect(requestsOf(template)).toBe('{"cpu":"1"}');
  });

  it('copies a pod-level limit only where no container requests', () => {
    const template = pod({
      containers: [container('a', { cpu: '1' })],
      resources: { limits: { cpu: '8', memory: '2Gi' } },
    });
    expect(requestsOf(withLimitsAsRequests(template))).toBe('{"cpu":"1","memory":"2Gi"}');
  });

  it('leaves a pod without limits or spec unchanged', () => {
    const plain = pod({ containers: [container('a', { cpu: '1' })] });
    expect(withLimitsAsRequests(plain)).toEqual(plain);
    expect(withLimitsAsRequests({})).toEqual({});
  });
});
