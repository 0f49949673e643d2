import { systemClock } from '@karpenter/kube/runtime';
import { cloudMetadata, startMetadataService } from '@karpenter/sim/metadata';
import type { SimulatedAccount } from '../simulated-account/index.ts';

/** The metadata service of the simulated instances; `url` is followed by the ID of an instance. */
export interface DevMetadata {
  readonly url: string;
  stop(): Promise<void>;
}

/** Shows every notice of the simulated account from the side of its instance, on one port for all of them. */
export async function startDevMetadata(account: SimulatedAccount, port: number): Promise<DevMetadata> {
  const service = await startMetadataService({
    clock: systemClock,
    port,
    instance: (id) => cloudMetadata(account.cloud, id),
  });
  return { url: service.urlOf(''), stop: () => service.stop() };
}
