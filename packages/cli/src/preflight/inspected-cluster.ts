import type { InspectedCluster, Part } from '@karpenter/aws/preflight';
import { CodedError } from '@karpenter/core/errors';
import { isNotFound, type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { type ConnectedCluster, listKind } from '../cluster-view/index.ts';

/** Reads what the checks need. A kind that may not be read becomes a reason, so that the other checks still run. */
export async function inspectedCluster(connection: ConnectedCluster): Promise<InspectedCluster> {
  const listed = <T extends KubeObject>(kind: Kind<T>) => readable(() => objectsOf(connection, kind));
  return {
    server: connection.server,
    definitions: await listed(kinds.customResourceDefinition),
    nodes: await listed(kinds.node),
    deployments: await listed(kinds.deployment),
    mappedRoles: await readable(() => mappedRoles(connection)),
  };
}

async function objectsOf<T extends KubeObject>(
  connection: ConnectedCluster,
  kind: Kind<T>,
): Promise<readonly T[]> {
  const { objects } = await listKind(connection, kind);
  return objects as readonly T[];
}

async function readable<T>(read: () => Promise<T>): Promise<Part<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (error instanceof CodedError && error.code === 'missing-permission')
      return { unreadable: error.message };
    throw error;
  }
}

/** Clusters with access entries alone have no such ConfigMap. */
async function mappedRoles({ client }: ConnectedCluster): Promise<string> {
  try {
    const { data } = await client.get(kinds.configMap, { namespace: 'kube-system', name: 'aws-auth' });
    return data?.['mapRoles'] ?? '';
  } catch (error) {
    if (isNotFound(error)) return '';
    throw error;
  }
}
