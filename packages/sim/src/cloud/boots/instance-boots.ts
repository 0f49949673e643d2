import { durationMs } from '@karpenter/core/values';
import { instanceType } from '@karpenter/ec2-catalogue';
import type { SimulatedNode } from '../../kubelet/simulated-node.ts';
import { chanceFrom, hashText } from '../../objects/chance.ts';
import type { SimulatedCloud } from '../cloud.ts';
import type { Image } from '../world/image.ts';
import type { Instance, InstanceStateName } from '../world/instance.ts';
import { nodeResources } from './node-resources.ts';
import { type JoinRequest, UnusableUserData } from './user-data/join-request.ts';
import { readUserData } from './user-data/read-user-data.ts';

export interface InstanceBootsOptions {
  readonly cloud: SimulatedCloud;
  readonly seed: number;
  /** The boots of an earlier process; their kubelets continue. */
  readonly saved?: SavedBoots | undefined;
  /** Called when the kubelet of an instance starts, and in the constructor for each saved node. */
  startNode(node: SimulatedNode): void;
  /** Called when EC2 starts to shut the instance of that node down. */
  terminateNode(name: string): void;
  /** For example `v1.36.1`; defaults to the minor version of the cluster with patch 0. */
  readonly kubeletVersion?: string;
  /** Whether security groups for pods are enabled; nodes then have branch interfaces. */
  readonly hasPodInterfaces?: boolean;
  /**
   * Whether the network plugin keeps the addresses of an interface ready for pods, which takes them from the
   * subnet.
   */
  readonly keepsAddressesReady?: boolean;
}

export interface SavedNode {
  readonly instanceId: string;
  readonly node: SimulatedNode;
}

export interface SavedBoots {
  /** Instances with a running kubelet, and the nodes as they booted. */
  readonly nodes: readonly SavedNode[];
  /** Why instances have not joined, by instance id. */
  readonly failures: readonly (readonly [string, string])[];
}

/** Device plugins report their devices this long after the kubelet is ready. */
const devicesAfterMs = 10_000;

/**
 * Boots running instances: reads their user data and starts a kubelet if the instance could join the cluster.
 */
export class InstanceBoots {
  readonly #options: InstanceBootsOptions;
  /** By instance id. */
  readonly #started: Map<string, SavedNode>;
  readonly #failures: Map<string, string>;
  #stops: readonly (() => void)[] = [];

  constructor(options: InstanceBootsOptions) {
    this.#options = options;
    const { saved } = options;
    this.#started = new Map((saved?.nodes ?? []).map((started) => [started.instanceId, started]));
    this.#failures = new Map(saved?.failures);
  }

  /** Starts the nodes of a saved account, and from then on one for each instance that boots. */
  start(): void {
    const { cloud, startNode } = this.#options;
    this.#stops = [
      cloud.onInstance((instance, state) => this.#changed(instance, state)),
      cloud.onBoot((instance, isFailing) => this.#booted(instance, isFailing)),
    ];
    for (const { node } of this.#started.values()) startNode(node);
  }

  save(): SavedBoots {
    return { nodes: [...this.#started.values()], failures: [...this.#failures] };
  }

  /** Why running instances have not joined, by instance id, as their console output shows it. */
  get failures(): ReadonlyMap<string, string> {
    return this.#failures;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  #changed(instance: Instance, state: InstanceStateName): void {
    if (state === 'running') this.#bootLater(instance);
    if (state === 'shutting-down') this.#stopNode(instance);
    if (state === 'terminated') this.#failures.delete(instance.id);
  }

  #bootLater(instance: Instance): void {
    const { cloud, seed } = this.#options;
    const { delay, jitter, slow, slowBy, failing } = cloud.faults.current.boots;
    const chance = chanceFrom(hashText(`boot ${seed} ${instance.sequence}`));
    // Draw in a fixed order, so that changing one fault does not change what the seed gives for the others.
    const isFailing = chance.next() < failing;
    const wait = delay + chance.next() * jitter + (chance.next() < slow ? slowBy : 0);
    cloud.agenda.after(wait, { kind: 'boot', instanceId: instance.id, isFailing });
  }

  #booted(instance: Instance, isFailing: boolean): void {
    // The instance may have been terminated while it booted.
    if (instance.state !== 'running') return;
    if (isFailing) this.#failures.set(instance.id, 'the machine does not come up');
    else this.#boot(instance);
  }

  #boot(instance: Instance): void {
    try {
      const node = this.#nodeOf(instance);
      this.#started.set(instance.id, { instanceId: instance.id, node });
      if (this.#options.keepsAddressesReady === true) this.#takeAddresses(instance);
      this.#options.startNode(node);
    } catch (error) {
      // Whatever is wrong with the user data, the instance keeps running and only its console shows why it
      // did not join.
      this.#failures.set(instance.id, error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * Ignores a subnet with too few addresses: as in AWS the node joins, and its pods would wait for addresses.
   */
  #takeAddresses({ id, type }: Instance): void {
    const perInterface = instanceType(type)?.NetworkInfo.Ipv4AddressesPerInterface ?? 1;
    this.#options.cloud.leasePodAddresses(id, perInterface - 1);
  }

  #stopNode({ id }: Instance): void {
    const started = this.#started.get(id);
    if (started === undefined) return;
    this.#started.delete(id);
    this.#options.terminateNode(started.node.name);
  }

  #nodeOf(instance: Instance): SimulatedNode {
    const { cloud, hasPodInterfaces = false } = this.#options;
    const image = cloud.world.images.get(instance.imageId);
    const info = instanceType(instance.type);
    if (image === undefined || info === undefined) throw new UnusableUserData('the image is gone');
    const request = readUserData(image.system, instance.userData);
    this.#checkCluster(request);
    this.#checkRole(instance);
    const { devices, ...resources } = nodeResources({
      info,
      system: image.system,
      instance,
      request,
      hasPodInterfaces,
    });
    return {
      ...resources,
      ...this.#identity(instance, image),
      labels: { ...this.#labels(instance), ...request.labels },
      taints: request.taints,
      ...(devices.length > 0 && { devices: { names: devices, after: durationMs(devicesAfterMs) } }),
      csiDrivers: [
        {
          name: 'ebs.csi.aws.com',
          limit: volumeLimit(info.Hypervisor),
          topologyKeys: ['topology.ebs.csi.aws.com/zone'],
        },
      ],
    };
  }

  #identity(instance: Instance, { system }: Image) {
    const { cloud, kubeletVersion = `v${cloud.world.cluster.version}.0` } = this.#options;
    return {
      name: instance.privateDnsName,
      providerID: `aws:///${instance.zone}/${instance.id}`,
      zone: instance.zone,
      region: cloud.world.region,
      instanceType: instance.type,
      architecture: instance.architecture === 'arm64' ? 'arm64' : 'amd64',
      operatingSystem: system === 'windows' ? 'windows' : 'linux',
      internalIP: instance.privateIp,
      kubeletVersion,
    };
  }

  /** The labels that the AWS cloud controller adds to a node of EKS. */
  #labels({ zone, zoneId }: Instance): Readonly<Record<string, string>> {
    return {
      'topology.k8s.aws/zone-id': zoneId,
      'topology.ebs.csi.aws.com/zone': zone,
      'failure-domain.beta.kubernetes.io/zone': zone,
      'failure-domain.beta.kubernetes.io/region': this.#options.cloud.world.region,
      'k8s.io/cloud-provider-aws': hashText(this.#options.cloud.world.cluster.arn).toString(16),
    };
  }

  #checkCluster({ clusterName, endpoint, certificateAuthority }: JoinRequest): void {
    const { cluster } = this.#options.cloud.world;
    if (clusterName !== cluster.name) throw new UnusableUserData(`no cluster found for name: ${clusterName}`);
    // The embedded API server gets another port at each start; user data written before still has the old
    // one.
    const addresses = [cluster, ...(cluster.formerAddresses ?? [])];
    const found = addresses.filter((address) => address.endpoint === endpoint);
    if (found.length === 0) throw new UnusableUserData(`dial tcp: lookup ${endpoint}: no such host`);
    if (found.some((address) => address.certificateAuthority === certificateAuthority)) return;
    throw new UnusableUserData('x509: certificate signed by unknown authority');
  }

  /** The API server authenticates a kubelet by the IAM role of its instance; without a role it rejects it. */
  #checkRole({ profileName }: Instance): void {
    const { instanceProfiles, roles } = this.#options.cloud.world;
    const profile = instanceProfiles.get(profileName ?? '');
    if (profile?.roleName !== undefined && roles.has(profile.roleName)) return;
    throw new UnusableUserData('Unauthorized: the instance has no role');
  }
}

/** EBS volumes that the CSI driver allows per node, by hypervisor. */
function volumeLimit(hypervisor: string | undefined): number {
  return hypervisor === 'xen' ? 39 : 25;
}
