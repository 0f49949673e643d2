import { MeteredCloud } from '@karpenter/controllers';
import { labelKeys } from '@karpenter/core/api';
import type { CloudProvider, InstanceType } from '@karpenter/core/ports';
import { durationMs } from '@karpenter/core/values';
import { RecordedSeries } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import type { ProviderUnderTest } from '@karpenter/testkit/cloud-conformance';
import { MemoryCloud } from '@karpenter/testkit/fake-cloud';
import { instanceType } from '@karpenter/testkit/snapshots';
import { testPool } from '../controllers/objects.ts';
import { nodeClassOf, SimulatedAccount } from './simulated-account.ts';

const memoryTypes: readonly InstanceType[] = [
  instanceType('small', { cpu: '2', memory: '4Gi', price: 0.1 }),
  instanceType('large', { price: 0.2, capacityTypes: ['spot', 'on-demand'], unavailable: ['a/spot'] }),
];

export interface MemoryCloudVariant {
  /** Defaults to the class itself. */
  readonly cloudClass?: typeof MemoryCloud;
  /** The provider that a process makes from the cloud; defaults to the cloud. */
  readonly providerOf?: (cloud: MemoryCloud, clock: VirtualClock) => CloudProvider;
}

/** The cloud in memory outlives every process that uses it. */
export function memoryCloud({
  cloudClass = MemoryCloud,
  providerOf = (cloud) => cloud,
}: MemoryCloudVariant = {}): ProviderUnderTest {
  const clock = new VirtualClock();
  const cloud = new cloudClass({ clock, types: memoryTypes });
  const nodePool = testPool('general');
  return {
    provider: providerOf(cloud, clock),
    clock,
    nodePool,
    restart: async () => providerOf(cloud, clock),
    runOutOfCapacity: async () => {
      cloud.types = cloud.types.map(withoutCapacity);
    },
    removeNodeClass: () => cloud.missingNodeClasses.add(nodePool.spec.template.spec.nodeClassRef.name),
    changeNodeClass: async () => {
      for (const providerId of cloud.instances.keys()) cloud.drifted.set(providerId, 'NodeClassDrift');
    },
  };
}

function withoutCapacity(type: InstanceType): InstanceType {
  return { ...type, offerings: type.offerings.map((offering) => ({ ...offering, available: false })) };
}

export function meteredCloud(): ProviderUnderTest {
  return memoryCloud({
    providerOf: (cloud, clock) =>
      new MeteredCloud(cloud, { meters: new RecordedSeries(), clock, controller: () => 'conformance' }),
  });
}

/** Since the lease of the earlier leader ended. */
const quiet = durationMs(5_000);

export async function awsCloud(): Promise<ProviderUnderTest> {
  const account = new SimulatedAccount();
  await account.start();
  const nodePool = await account.addPool('general');
  const { cloud: provider } = account.provider;
  return {
    provider,
    clock: account.clock,
    nodePool,
    restart: async (stored) => {
      const next = new SimulatedAccount({ after: account });
      await next.start();
      next.sharePools(account);
      for (const claim of stored) next.nodeClaims.set(claim);
      next.provider.takeOver(quiet);
      return next.provider.cloud;
    },
    runOutOfCapacity: async () => drainPools(account, await provider.instanceTypes(nodePool)),
    removeNodeClass: () => account.nodeClasses.remove('general'),
    changeNodeClass: async () => {
      account.nodeClasses.set(await account.resolved(nodeClassOf('general', { detailedMonitoring: true })));
    },
  };
}

function drainPools({ cloud }: SimulatedAccount, types: readonly InstanceType[]): void {
  for (const { name: type, offerings } of types) {
    for (const { requirements } of offerings) {
      const labelValue = (label: string) => requirements.find(({ key }) => key === label)?.values?.[0] ?? '';
      const capacityType = labelValue(labelKeys.capacityType) === 'spot' ? 'spot' : 'on-demand';
      cloud.drainPool({ type, zone: labelValue(labelKeys.zone), capacityType });
    }
  }
}
