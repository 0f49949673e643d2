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
  /** The certificates that nodes verify it by, in base64. */
  readonly caBundle?: string | undefined;
  /** Address of the DNS service. */
  readonly dnsIp?: string | undefined;
}

export interface AwsProviderOptions {
  readonly services: AwsServices;
  readonly region: string;
  readonly settings: ProviderSettings;
  /** Asked at each launch: parts of it may be found out after the start. */
  readonly cluster: () => ClusterConnection;
  /** What the API server says of itself at `/version`. */
  readonly serverVersion: () => Promise<{ readonly major: string; readonly minor: string }>;
  readonly nodeClasses: Pick<WatchCache<EC2NodeClass>, 'get'>;
  readonly nodePools: Pick<WatchCache<NodePool>, 'get' | 'list'>;
  /** Left out, instances that an earlier leader has started are not looked for. */
  readonly nodeClaims?: Pick<WatchCache<NodeClaim>, 'list'>;
  /** With the gate NodeOverlay: overlays that price types which AWS has not priced yet… */
  readonly nodeOverlays?: () => readonly NodeOverlay[];
  /** …and the types of a NodePool once overlays have had their say. */
  readonly overlaid?: (nodePool: NodePool, types: readonly InstanceType[]) => readonly InstanceType[];
  readonly events: Pick<EventRecorder, 'publish'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly meters: Meters;
  /** A text that never comes twice; defaults to a random UUID. */
  readonly unique?: () => string;
  /** A number from 0 up to 1; defaults to chance. */
  readonly random?: () => number;
}

/** Everything that knows AWS, made once and shared by the controllers. */
export interface AwsProvider {
  readonly cloud: CloudProvider;
  readonly images: ImageProvider;
  /** Values of SSM parameters, which `providers.ssm.invalidation` lets go of. */
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
  /** What of settings and cluster every launch depends on, a dry run too. */
  launchSettings(): LaunchSettings;
  /** The value of the annotation `karpenter.k8s.aws/ec2nodeclass-hash`. */
  hashOf(nodeClass: EC2NodeClass): string;
  /** Sets the gauges on offerings and their prices, as all NodePools see them. */
  reportOfferings(): Promise<void>;
  /** Tries whether AWS can be called, and learns what launches cannot do without. Fails if it cannot. */
  start(): Promise<void>;
  /**
   * This process begins to lead: NodeClaims and instances that are there are the work of an earlier leader, which has
   * started none for so long.
   */
  takeOver(quiet: DurationMs): void;
  /** Tidies up what is no longer used until the signal is raised; for the leader only. */
  run(signal: AbortSignal): Promise<void>;
}
