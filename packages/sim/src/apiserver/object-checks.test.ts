import { describe, expect, it } from 'vitest';
import { creationProblem } from './object-checks.ts';

const pod = (spec: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', ...metadata },
  spec: { containers: [{ name: 'main', image: 'nginx' }], ...spec },
});

describe('the problem with creating an object', () => {
  it('is none for a valid one, or for a kind that is not built in', () => {
    expect(creationProblem(pod({}))).toBeUndefined();
    expect(creationProblem({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool' })).toBeUndefined();
    expect(
      creationProblem({ apiVersion: 'serving.knative.dev/v1', kind: 'Service', spec: { template: {} } }),
    ).toBeUndefined();
  });

  it.each([
    ['an unknown field', pod({ nodeSelectors: {} }), 'unknown field "spec.nodeSelectors"'],
    ['a wrong type', pod({ priority: 'high' }), 'spec.priority: is of type string, not int32'],
    ['a missing value', pod({ containers: [{ name: 'main' }] }), 'spec.containers[0].image: Required value'],
    ['a malformed label', pod({}, { labels: { 'a b': 'c' } }), 'metadata.labels: Invalid value: "a b"'],
    ['a malformed name', pod({}, { name: 'Web' }), 'metadata.name: Invalid value: "Web"'],
    ['no version', { kind: 'Pod' }, 'apiVersion: Required value; write v1'],
    [
      'an unknown version',
      { ...pod({}), apiVersion: 'v2' },
      'apiVersion: no kind "Pod" in version "v2"; write v1',
    ],
    ['an old group', { apiVersion: 'extensions/v1beta1', kind: 'DaemonSet' }, 'write apps/v1'],
  ])('names %s', (_, object, problem) => {
    expect(creationProblem(object)).toContain(problem);
  });
});
