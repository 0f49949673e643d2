import { describe, expect, it } from 'vitest';
import { namedSubject } from './named-subject.ts';

describe('the object that is named', () => {
  it.each([
    [['pod', 'web'], undefined, { kind: 'Pod', name: 'web' }],
    [['pod/web'], 'shop', { kind: 'Pod', namespace: 'shop', name: 'web' }],
    [['Pods', 'shop/web'], undefined, { kind: 'Pod', namespace: 'shop', name: 'web' }],
    [['node/ip-10-0-1-7'], 'shop', { kind: 'Node', name: 'ip-10-0-1-7' }],
    [['nodeclaims.karpenter.sh', 'a'], undefined, { kind: 'NodeClaim', name: 'a' }],
    [['nodepool', 'default'], undefined, { kind: 'NodePool', name: 'default' }],
  ])('is read from %j', (words, namespace, subject) => {
    expect(namedSubject(words, namespace)).toEqual(subject);
  });

  it.each([
    [['pood', 'web'], undefined, 'did you mean pod?'],
    [['deployment', 'web'], undefined, 'choose from pod, node, nodeclaim, nodepool'],
    [['constructor', 'web'], undefined, 'choose from pod, node, nodeclaim, nodepool'],
    [['node'], undefined, 'karpenter explain node NAME'],
    [['node/'], undefined, 'karpenter explain node NAME'],
    [['pod', 'a', 'b'], undefined, 'takes a kind and one name'],
    [['pod', 'shop/web'], 'other', 'say different namespaces'],
  ])('is refused with advice for %j', (words, namespace, advice) => {
    expect(() => namedSubject(words, namespace)).toThrow(advice);
  });
});
