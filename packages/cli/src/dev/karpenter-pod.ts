import { type ClusterConfig, connect, isAlreadyExists, kinds } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import { LiveLog, SimulatedContainers } from '@karpenter/sim';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { version } from '../version.ts';

const namespace = 'kube-system';
const name = 'karpenter';
const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/instance': name };

/**
 * The pod under which `karpenter dev` appears in its own cluster. It is named, placed and labelled as the chart does it,
 * with one replica, because there is one process.
 */
const deployment: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        priorityClassName: 'system-cluster-critical',
        containers: [{ name: 'controller', image: `ghcr.io/karpenter-ts/controller:${version}` }],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }] },
              ],
            },
          },
        },
        tolerations: [
          { key: 'CriticalAddonsOnly', operator: 'Exists' },
          // The controllers run from the start, before the nodes of the node group are ready.
          { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoSchedule' },
        ],
      },
    },
  },
};

/** The log of the controllers, and containers that show it as the log of the pod. */
export function karpenterContainers(clock: Clock): { log: LiveLog; containers: SimulatedContainers } {
  const [log, containers] = [new LiveLog(clock), new SimulatedContainers()];
  containers.attach({ namespace, labels }, log);
  return { log, containers };
}

/** Creates the Deployment, unless it is there from an earlier run. */
export async function installKarpenterPod(config: ClusterConfig): Promise<void> {
  const client = connect(config, { userAgent: 'karpenter-dev' });
  try {
    await client.create(kinds.deployment, deployment);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  } finally {
    await client.close();
  }
}
