import type { NodeClaim, NodePool } from '@karpenter/core/api';
import type { Log, Meters } from '@karpenter/core/ports';
import type { WatchCache } from '@karpenter/kube/cache';
import type { KubeWriter } from '@karpenter/kube/client';
import type { Clock, EventRecorder } from '@karpenter/kube/runtime';
import type { EC2NodeClass } from '../node-class/index.ts';
import type { AwsServices } from '../ports/index.ts';
import type { AwsProvider, ProviderSettings } from '../provider/index.ts';
import type { SizedNode } from './providers/memory-controller.ts';

/** The kinds that the AWS controllers watch. */
export interface WatchedCluster {
  readonly nodeClasses: WatchCache<EC2NodeClass>;
  readonly nodePools: WatchCache<NodePool>;
  readonly nodeClaims: WatchCache<NodeClaim>;
  readonly nodes: WatchCache<SizedNode>;
}

export interface AwsControllerOptions {
  readonly client: Pick<KubeWriter, 'create' | 'patch' | 'delete'>;
  readonly caches: WatchedCluster;
  readonly provider: Omit<AwsProvider, 'cloud' | 'start' | 'run'>;
  readonly services: Pick<AwsServices, 'ec2' | 'sqs'>;
  readonly settings: ControllerSettings;
  readonly recorder: EventRecorder;
  readonly meters: Meters;
  readonly clock: Clock;
  readonly log: Log;
}

type ControllerSettings = Pick<
  ProviderSettings,
  | 'clusterName'
  | 'disableDryRun'
  | 'featureGates'
  | 'interruptionQueue'
  | 'isolatedVpc'
  | 'rebalancePolicy'
  | 'rebalanceReplacementsPerHour'
>;
