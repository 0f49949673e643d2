import { type ClusterConnection, clusterEndpoint, type EndpointSources } from '@karpenter/aws';
import { type ClusterConfig, type KubeReader, kinds } from '@karpenter/kube/client';
import type { ProcessSettings } from './process-settings.ts';

export interface ConnectionSources extends EndpointSources {
  readonly settings: Pick<ProcessSettings, 'clusterName' | 'clusterEndpoint' | 'clusterCaBundle'>;
  readonly config: Pick<ClusterConfig, 'ca'>;
  readonly client: Pick<KubeReader, 'find'>;
}

/** What new nodes need to join the cluster. */
export async function discoverConnection(sources: ConnectionSources): Promise<ClusterConnection> {
  const { settings, config } = sources;
  const caBundle =
    settings.clusterCaBundle !== ''
      ? settings.clusterCaBundle
      : config.ca && Buffer.from(config.ca).toString('base64');
  return { endpoint: await clusterEndpoint(sources), caBundle, dnsIp: await dnsAddress(sources) };
}

const dnsService = { namespace: 'kube-system', name: 'kube-dns' };

/** Without an address here, nodes find DNS by themselves. */
async function dnsAddress({ client, log }: ConnectionSources): Promise<string | undefined> {
  const unknown = (error: string) => log.debug('unable to detect the IP of the kube-dns service', { error });
  try {
    const service = await client.find(kinds.service, dnsService);
    const address = service?.spec?.clusterIP;
    if (service === undefined) unknown(`service ${dnsService.name} not found`);
    else if (address !== undefined) log.debug('discovered kube dns', { 'kube-dns-ip': address });
    return address;
  } catch (error) {
    unknown(String(error));
    return undefined;
  }
}
