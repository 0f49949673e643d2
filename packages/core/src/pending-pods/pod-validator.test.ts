import { pod } from '@karpenter/testkit/snapshots';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coreLabelPolicy } from '../api/index.ts';
import { requirementPolicy } from '../requirements/index.ts';
import type { PodSpecView } from '../scheduling/index.ts';
import type { OwnerReference } from '../values/index.ts';
import type { PendingPod } from './pending-pod.ts';
import { PodValidator } from './pod-validator.ts';

const validator = new PodValidator({ policy: requirementPolicy(coreLabelPolicy) });
const unschedulable = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] };
const waiting = (spec: Partial<PodSpecView> = {}): PendingPod => ({
  ...pod('p', spec),
  status: unschedulable,
});
const ownedBy = (owner: OwnerReference): PendingPod => {
  const { metadata, ...rest } = waiting();
  return { ...rest, metadata: { ...metadata, ownerReferences: [owner] } };
};

describe('a pod is provisionable', () => {
  it('when the kube-scheduler found no node for it', () => {
    expect(validator.verdictOf(waiting())).toEqual({ verdict: 'provisionable' });
  });

  it('whatever its phase and the status of the condition', () => {
    const conditions = [{ type: 'PodScheduled', status: 'True', reason: 'Unschedulable' }];
    expect(validator.verdictOf({ ...waiting(), status: { phase: 'Failed', conditions } }).verdict).toBe(
      'provisionable',
    );
  });

  it('when its owner is a DaemonSet of another API group', () => {
    const foreign = ownedBy({ apiVersion: 'example.com/v1', kind: 'DaemonSet', name: 'd' });
    expect(validator.verdictOf(foreign).verdict).toBe('provisionable');
  });
});

describe('a pod is passed over', () => {
  it.each([
    ['before the kube-scheduler has tried it', pod('p'), 'not-unschedulable'],
    [
      'with scheduling gates',
      { ...pod('p'), status: { conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] } },
      'not-unschedulable',
    ],
    ['when bound to a node', { ...waiting(), spec: { ...waiting().spec, nodeName: 'n' } }, 'bound'],
    [
      'while it is nominated to a node',
      { ...waiting(), status: { ...unschedulable, nominatedNodeName: 'n' } },
      'nominated',
    ],
    ['when owned by a DaemonSet', ownedBy({ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd' }), 'daemon'],
    ['when it is a static pod', ownedBy({ apiVersion: 'v1', kind: 'Node', name: 'n' }), 'mirror'],
  ] satisfies [string, PendingPod, string][])('%s', (_, candidate, cause) => {
    expect(validator.verdictOf(candidate)).toEqual({ verdict: 'passed-over', cause });
  });
});

const required = (...terms: readonly object[]): Partial<PodSpecView> => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
  },
});
const noPool = { matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }] };
const optedOut =
  'configured to not run on a Karpenter provisioned node (requirement=karpenter.sh/nodepool DoesNotExist)';

describe('a pod that opts out of NodePools', () => {
  const preferred = (weight: number, preference: object) => ({ weight, preference });

  it('is ignored without an event', () => {
    expect(validator.validate(waiting(required(noPool)))).toEqual({
      verdict: 'ignored',
      reasons: [{ cause: 'opted-out', message: optedOut }],
      message: optedOut,
      isReported: false,
    });
  });

  it('is ignored even if it is only its heaviest preference', () => {
    const other = { matchExpressions: [{ key: 'team', operator: 'Exists' }] };
    const prefers = (...terms: ReturnType<typeof preferred>[]) =>
      validator.validate(
        waiting({
          affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms } },
        }),
      ).verdict;
    expect(prefers(preferred(1, other), preferred(2, noPool))).toBe('ignored');
    expect(prefers(preferred(2, other), preferred(1, noPool))).toBe('provisionable');
  });

  it('is provisionable while an earlier term requires something else', () => {
    const other = { matchExpressions: [{ key: 'team', operator: 'Exists' }] };
    expect(validator.validate(waiting(required(other, noPool))).verdict).toBe('provisionable');
  });

  it('opts out by contradicting requirements too', () => {
    const inB = { matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['b'] }] };
    const spec = { nodeSelector: { 'karpenter.sh/nodepool': 'a' }, ...required(inB) };
    expect(validator.validate(waiting(spec))).toMatchObject({ message: optedOut });
  });

  it('gets no event even if something else is wrong with it', () => {
    const spec = { nodeSelector: { 'kubernetes.io/hostname': 'n' }, ...required(noPool) };
    expect(validator.validate(waiting(spec))).toMatchObject({
      isReported: false,
      reasons: [{ cause: 'opted-out' }, { cause: 'requirements' }],
    });
  });
});

describe('a pod is ignored with an event', () => {
  const message = (spec: Partial<PodSpecView>) => {
    const verdict = validator.validate(waiting(spec));
    return verdict.verdict === 'ignored' && verdict.isReported ? verdict.message : verdict;
  };

  it('for a label that no new node can have', () => {
    expect(message({ nodeSelector: { 'kubernetes.io/hostname': 'n' } })).toMatch(
      /^using label kubernetes.io\/hostname is not allowed as it might interfere/,
    );
  });

  it('for a label of a restricted domain in any term', () => {
    const odd = { matchExpressions: [{ key: 'karpenter.sh/odd', operator: 'Exists' }] };
    expect(message(required({}, odd))).toMatch(/^using label karpenter.sh\/odd is not allowed/);
  });

  it('for matchFields', () => {
    const fields = { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] };
    expect(message(required(fields))).toBe('node selector term with matchFields is not supported');
  });

  it('for an unknown capacity type', () => {
    expect(message({ nodeSelector: { 'karpenter.sh/capacity-type': 'cheap' } })).toBe(
      'no valid values found in [cheap] for karpenter.sh/capacity-type, expected one of: [on-demand reserved spot], got: [cheap]',
    );
  });

  it('with all reasons in one message', () => {
    const fields = { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] };
    const bound = { matchExpressions: [{ key: 'cpus', operator: 'Gt', values: ['many'] }] };
    expect(message(required(fields, bound))).toBe(
      'node selector term with matchFields is not supported; ' +
        'key cpus with operator Gt must have a single positive integer value',
    );
  });

  it.each([
    ['by the pod', { resourceClaims: [{ name: 'gpu' }] }],
    ['by a container', { initContainers: [{ resources: { claims: [{ name: 'gpu' }] } }] }],
  ])('for devices claimed %s', (_, spec) => {
    expect(message(spec)).toBe(
      'pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter',
    );
  });

  it('but not for preferences', () => {
    const preference = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'Exists' }] };
    const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] };
    expect(message({ affinity: { nodeAffinity } })).toEqual({ verdict: 'provisionable' });
  });
});

describe('a moving pod', () => {
  it('is provisionable whatever its node selector', () => {
    const pinned = waiting({ nodeSelector: { 'kubernetes.io/hostname': 'n' } });
    expect(validator.validateMoving(pinned).verdict).toBe('provisionable');
  });

  it('is ignored when it uses resource claims', () => {
    expect(validator.validateMoving(waiting({ resourceClaims: [{ name: 'gpu' }] }))).toMatchObject({
      verdict: 'ignored',
      isReported: true,
    });
  });
});

it('plans for a pod with resource claims when devices are allocated', () => {
  const giving = new PodValidator({ policy: requirementPolicy(coreLabelPolicy), plansDevices: true });
  const claiming = waiting({ resourceClaims: [{ name: 'gpu' }] });
  expect(giving.validate(claiming).verdict).toBe('provisionable');
  expect(giving.validateMoving(claiming).verdict).toBe('provisionable');
});

describe('judging a pod', () => {
  const word = fc.constantFrom(
    'karpenter.sh/nodepool',
    'kubernetes.io/hostname',
    'team',
    '',
    'no good',
    '-1',
    '7',
  );
  const operator = fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte', 'Is');
  const expression = fc.record(
    { key: word, operator, values: fc.array(word, { maxLength: 2 }) },
    { requiredKeys: ['key', 'operator'] },
  );
  const term = fc.record({ matchExpressions: fc.array(expression, { maxLength: 3 }) });

  it('always gives a verdict, however malformed the affinity is', () => {
    fc.assert(
      fc.property(fc.array(term), fc.array(term), (terms, preferences) => {
        const nodeAffinity = {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
          preferredDuringSchedulingIgnoredDuringExecution: preferences.map((preference, weight) => ({
            weight,
            preference,
          })),
        };
        const { verdict } = validator.verdictOf(waiting({ affinity: { nodeAffinity } }));
        expect(['provisionable', 'ignored']).toContain(verdict);
      }),
    );
  });

  it('gives equal pods the same verdict, whether or not they share their spec', () => {
    fc.assert(
      fc.property(fc.array(term), (terms) => {
        const shared = waiting(required(...terms));
        const again = new PodValidator({ policy: requirementPolicy(coreLabelPolicy) });
        expect([validator.verdictOf(shared), validator.verdictOf(shared)]).toEqual([
          again.verdictOf(structuredClone(shared)),
          again.verdictOf(shared),
        ]);
      }),
    );
  });
});
