import { kinds } from '@karpenter/kube/client';
import type { DaemonSet, DaemonSetSpec } from 'kubernetes-types/apps/v1.js';
import type { Node, NodeSpec, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { podFrom } from '../pod-template.ts';
import { targetNode, templateFor } from './daemon-pod.ts';
import { planDaemonSet, revisionLabel } from './plan-daemon-set.ts';

const now = Date.UTC(2026, 0, 1);

function setOf(image = 'v1', spec: Partial<DaemonSetSpec> = {}): DaemonSet {
  return {
    metadata: { name: 'agent', uid: 'set' },
    spec: { selector: {}, template: { spec: { containers: [{ name: 'main', image }] } }, ...spec },
  };
}

const node = (name: string, spec: NodeSpec = {}, labels = {}): Node => ({ metadata: { name, labels }, spec });

function podOn(set: DaemonSet, nodeName: string, isReady = true): Pod {
  const { hash } = planDaemonSet(set, { nodes: [], pods: [], now });
  const owner = { kind: kinds.daemonSet, metadata: set.metadata ?? {} };
  const pod = podFrom(templateFor(set.spec?.template ?? {}, nodeName), owner, {
    name: `agent-${nodeName}`,
    labels: { [revisionLabel]: hash },
  });
  return {
    ...pod,
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  };
}

const names = (pods: readonly Pod[]) => pods.map(targetNode);

describe('a DaemonSet', () => {
  it('wants a pod on every selected node whose taints it tolerates, even on unhealthy ones', () => {
    const nodes = [
      node('plain', {}, { pool: 'a' }),
      node(
        'cordoned',
        { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] },
        { pool: 'a' },
      ),
      node(
        'silent',
        { taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }] },
        { pool: 'a' },
      ),
      node('dedicated', { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] }, { pool: 'a' }),
      node('other', {}, { pool: 'b' }),
    ];
    const template = { spec: { containers: [], nodeSelector: { pool: 'a' } } };

    const plan = planDaemonSet(setOf('v1', { template }), { nodes, pods: [], now });

    expect(plan.createOn).toEqual(['plain', 'cordoned', 'silent']);
    expect(plan.status).toMatchObject({
      desiredNumberScheduled: 3,
      currentNumberScheduled: 0,
      numberUnavailable: 3,
    });
  });

  it('pins each pod to its node', () => {
    expect(targetNode(podOn(setOf(), 'a'))).toBe('a');
  });

  it('keeps a pod under a new NoSchedule taint and deletes it under a NoExecute taint', () => {
    const set = setOf();
    const pods = [podOn(set, 'kept'), podOn(set, 'driven')];
    const nodes = [
      node('kept', { taints: [{ key: 'late', effect: 'NoSchedule' }] }),
      node('driven', { taints: [{ key: 'late', effect: 'NoExecute' }] }),
    ];

    const plan = planDaemonSet(set, { nodes, pods, now });

    expect(names(plan.remove)).toEqual(['driven']);
    expect(plan.status.numberMisscheduled).toBe(2);
  });

  it('replaces failed pods and deletes surplus ones', () => {
    const set = setOf();
    const failed = { ...podOn(set, 'a'), status: { phase: 'Failed' } };

    expect(planDaemonSet(set, { nodes: [node('a')], pods: [failed], now })).toMatchObject({
      createOn: ['a'],
      remove: [failed],
    });
    expect(
      planDaemonSet(set, { nodes: [node('a')], pods: [podOn(set, 'a'), podOn(set, 'a')], now }).remove,
    ).toHaveLength(1);
  });

  it('updates as many nodes at once as maxUnavailable allows', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) => node(name));
    const pods = nodes.map(({ metadata }) => podOn(setOf('v1'), metadata?.name ?? ''));
    const updated = (maxUnavailable?: string | number) =>
      setOf('v2', {
        updateStrategy: {
          type: 'RollingUpdate',
          rollingUpdate: { ...(maxUnavailable && { maxUnavailable }) },
        },
      });

    expect(planDaemonSet(updated(), { nodes, pods, now }).remove).toHaveLength(1);
    expect(planDaemonSet(updated('50%'), { nodes, pods, now }).remove).toHaveLength(2);
    expect(
      planDaemonSet(setOf('v2', { updateStrategy: { type: 'OnDelete' } }), { nodes, pods, now }).remove,
    ).toEqual([]);
    const broken = [podOn(setOf('v1'), 'a', false), ...pods.slice(1)];
    expect(names(planDaemonSet(updated(), { nodes, pods: broken, now }).remove)).toEqual(['a']);
  });
});
