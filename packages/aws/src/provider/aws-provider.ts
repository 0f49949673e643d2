import type { CoreSettings, NodeClaim, NodeOverlay, NodePool } from '@karpenter/core/api';
import type { CloudProvider, InstanceType, Log, Meters } from '@karpenter/core/ports';
import type { DurationMs } from '@karpenter/core/values';
import type { WatchCache } from '@karpenter/kube/cache';
import type { Clock, EventRecorder } from '@karpenter/kube/runtime';
import type { CapacityReservationProvider } from '../capacity-reservations/index.ts';
import type { ClusterCidr } from '../cluster-network/index.ts';
import type { LaunchSettings } from '../fleet/index.ts';
import type { ImageProvider, ParameterStore } from '../images/index.ts';
import type { InstanceProfileProvider } from '../instance-profiles/index.ts';
import type { InstanceTypeProvider } from '../instance-type-provider/index.ts';
import type { DiscoveredMemory } from '../instance-types/index.ts';
import type { InstanceProvider } from '../instances/index.ts';
import type { LaunchTemplateProvider } from '../launch-templates/index.ts';
import type { SecurityGroupProvider, SubnetProvider } from '../network/index.ts';
import type { EC2NodeClass } from '../node-class/index.ts';
import type { ReservationCounts, UnavailableOfferings } from '../offerings/index.ts';
import type { PlacementGroupProvider } from '../placement-groups/index.ts';
import type { AwsServices } from '../ports/index.ts';
import type { PricingProvider } from '../pricing/index.ts';
import type { AwsSettings } from '../settings/index.ts';
import type { VersionProvider } from '../version/index.ts';
import type { ZonalShifts } from '../zonal-shift/index.ts';

/** Settings that the provider depends on: its own, and some of those that every cloud shares. */
export type ProviderSettings = AwsSettings & Pick<CoreSettings, 'featureGates' | 'minValuesPolicy'>;

/** How nodes reach the API server. */
export interface ClusterConnection {
  readonly endpoint: string;
  /** CA bundle with which nodes verify the API server, in base64. */
  readonly caBundle?: string | undefined;
  /** Address of the DNS service. */
  readonly dnsIp?: string | undefined;
}

export interface AwsProviderOptions {
  readonly services: AwsServices;
  readonly region: string;
  readonly settings: ProviderSettings;
  /** Called for each launch, because parts of it may be discovered after start-up. */
  readonly cluster: () => ClusterConnection;
  /** Reads `/version` of the API server. */
  readonly serverVersion: () => Promise<{ readonly major: string; readonly minor: string }>;
  readonly nodeClasses: Pick<WatchCache<EC2NodeClass>, 'get'>;
  readonly nodePools: Pick<WatchCache<NodePool>, 'get' | 'list'>;
  /** If absent, instances that an earlier leader launched are not adopted. */
  readonly nodeClaims?: Pick<WatchCache<NodeClaim>, 'list'>;
  /** With the gate NodeOverlay: the overlays, which may set prices of types that the price list lacks… */
  readonly nodeOverlays?: () => readonly NodeOverlay[];
  /** …and a function that applies the overlays to the types of a NodePool. */
  readonly overlaid?: (nodePool: NodePool, types: readonly InstanceType[]) => readonly InstanceType[];
  readonly events: Pick<EventRecorder, 'publish'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly meters: Meters;
  /** Returns a new unique id at each call; defaults to a random UUID. */
  readonly unique?: () => string;
  /** A number from 0 up to 1, for the jitter of retries; defaults to `Math.random`. */
  readonly random?: () => number;
}

/** All parts of the AWS provider, built once and shared by the controllers. */
export interface AwsProvider {
  readonly cloud: CloudProvider;
  readonly images: ImageProvider;
  /** Cached SSM parameters, which the controller `providers.ssm.invalidation` invalidates. */
  readonly parameters: ParameterStore;
  readonly subnets: SubnetProvider;
  readonly securityGroups: SecurityGroupProvider;
  readonly profiles: InstanceProfileProvider;
  readonly reservations: CapacityReservationProvider;
  readonly reservationCounts: ReservationCounts;
  readonly placementGroups: PlacementGroupProvider;
  readonly instanceTypes: InstanceTypeProvider;
  readonly discoveredMemory: DiscoveredMemory;
  readonly instances: InstanceProvider;
  readonly launchTemplates: LaunchTemplateProvider;
  readonly pricing: PricingProvider;
  readonly unavailableOfferings: UnavailableOfferings;
  readonly version: VersionProvider;
  readonly clusterCidr: ClusterCidr;
  readonly zonalShifts: ZonalShifts;
  /** Settings and facts of the cluster that apply to every launch and dry run. */
  launchSettings(): LaunchSettings;
  /** The value of the annotation `karpenter.k8s.aws/ec2nodeclass-hash`. */
  hashOf(nodeClass: EC2NodeClass): string;
  /** Sets the gauges on offerings and prices, over all NodePools. */
  reportOfferings(): Promise<void>;
  /** Checks that AWS can be called and loads what launches need. Rejects if that fails. */
  start(): Promise<void>;
  /**
   * Called when this process becomes the leader: existing NodeClaims and instances come from an earlier leader, which
   * has launched nothing for the duration `quiet`.
   */
  takeOver(quiet: DurationMs): void;
  /** Deletes unused launch templates until the signal aborts; for the leader only. */
  run(signal: AbortSignal): Promise<void>;
}
