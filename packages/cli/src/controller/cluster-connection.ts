import { type ClusterConnection, clusterEndpoint, type EndpointSources } from '@karpenter/aws';
import { type ClusterConfig, isNotFound, type KubeReader, kinds } from '@karpenter/kube/client';
import type { ProcessSettings } from './process-settings.ts';

export interface ConnectionSources extends EndpointSources {
  readonly settings: Pick<ProcessSettings, 'clusterName' | 'clusterEndpoint' | 'clusterCaBundle'>;
  readonly config: Pick<ClusterConfig, 'ca'>;
  readonly client: Pick<KubeReader, 'get'>;
}

/** What new nodes are told about the cluster they are to join. */
export async function discoverConnection(sources: ConnectionSources): Promise<ClusterConnection> {
  const { settings, config } = sources;
  const caBundle =
    settings.clusterCaBundle !== ''
      ? settings.clusterCaBundle
      : config.ca && Buffer.from(config.ca).toString('base64');
  return { endpoint: await clusterEndpoint(sources), caBundle, dnsIp: await dnsAddress(sources) };
}

const dnsService = { namespace: 'kube-system', name: 'kube-dns' };

/** Nodes find DNS by themselves where nobody tells them. */
async function dnsAddress({ client, log }: ConnectionSources): Promise<string | undefined> {
  try {
    const { spec } = await client.get(kinds.service, dnsService);
    if (spec?.clusterIP !== undefined) log.debug('discovered kube dns', { 'kube-dns-ip': spec.clusterIP });
    return spec?.clusterIP;
  } catch (error) {
    log.debug('unable to detect the IP of the kube-dns service', {
      error: isNotFound(error) ? `service ${dnsService.name} not found` : String(error),
    });
    return undefined;
  }
}
