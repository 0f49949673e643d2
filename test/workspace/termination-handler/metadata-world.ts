import { setImmediate } from 'node:timers/promises';
import { type InstanceMetadata, type MetadataService, startMetadataService } from '@karpenter/sim/metadata';
import { MetadataClient } from '@karpenter/termination-handler';
import { VirtualClock } from '@karpenter/testkit/clock';

const instanceId = 'i-0123456789abcdef0';

/** One instance, its metadata service on loopback and a client of it. */
export interface MetadataWorld {
  readonly clock: VirtualClock;
  readonly service: MetadataService;
  readonly client: MetadataClient;
  /** The base address for the instance. */
  readonly url: string;
  /** Changes what the service knows about the instance. */
  change(metadata: Partial<InstanceMetadata>): void;
}

export interface MetadataWorldOptions {
  readonly tries?: number;
  readonly requiresToken?: boolean;
  readonly clock?: VirtualClock;
}

const usual: InstanceMetadata = {
  accountId: '123456789012',
  region: 'us-west-2',
  instanceId,
  instanceType: 'm5.large',
  imageId: 'ami-0123456789abcdef0',
  architecture: 'x86_64',
  lifeCycle: 'spot',
  zone: 'us-west-2a',
  privateIp: '10.0.0.7',
  hostname: 'ip-10-0-0-7.us-west-2.compute.internal',
  maintenance: [],
};

export async function startMetadataWorld(options: MetadataWorldOptions = {}): Promise<MetadataWorld> {
  const { tries = 3, requiresToken = true, clock = new VirtualClock() } = options;
  let metadata = usual;
  const service = await startMetadataService({
    clock,
    requiresToken,
    instance: (id) => (id === instanceId ? metadata : undefined),
  });
  const url = service.urlOf(instanceId);
  return {
    clock,
    service,
    url,
    client: new MetadataClient({ url, tries, clock, random: () => 0.5 }),
    change: (changed) => {
      metadata = { ...metadata, ...changed };
    },
  };
}

/** Waits for something that happens in real time, such as a request that arrives, without moving the clock. */
export async function happens(probe: () => boolean): Promise<void> {
  while (!probe()) await setImmediate();
}
