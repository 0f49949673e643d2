import { nodeClaims } from '@karpenter/controllers';
import { ConnectionError, type Kind, type KubeClient, type KubeObject, kinds } from '@karpenter/kube/client';
import type { Write, Written } from './findings.ts';

/**
 * Calls `see` for every stored write of NodeClaims, Nodes and Pods until the signal is raised. Writes of one
 * kind come in order.
 */
export async function followWrites(
  client: KubeClient,
  signal: AbortSignal,
  see: (write: Write) => void,
): Promise<void> {
  const follow = <T extends KubeObject>(kind: Kind<T>, written: (object: T) => Written) =>
    followKind({ client, signal, see }, kind, written);
  await Promise.all([
    follow(nodeClaims, (object) => ({ kind: 'NodeClaim', object })),
    follow(kinds.node, (object) => ({ kind: 'Node', object })),
    follow(kinds.pod, (object) => ({ kind: 'Pod', object })),
  ]);
}

interface Following {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  readonly see: (write: Write) => void;
}

async function followKind<T extends KubeObject>(
  { client, signal, see }: Following,
  kind: Kind<T>,
  written: (object: T) => Written,
): Promise<void> {
  let { resourceVersion } = await client.list(kind);
  while (!signal.aborted) {
    try {
      for await (const event of client.watch(kind, { resourceVersion, signal })) {
        if (event.type === 'BOOKMARK') {
          // Keeps a quiet watch from resuming at a revision that is too old.
          resourceVersion = event.resourceVersion;
          continue;
        }
        resourceVersion = event.object.metadata?.resourceVersion ?? resourceVersion;
        const isRemoval = event.type === 'DELETED';
        see({ ...written(event.object), revision: Number(resourceVersion), isRemoval });
      }
    } catch (error) {
      // The next watch goes on from the last revision, so no write is missed.
      if (!(error instanceof ConnectionError)) throw error;
    }
  }
}
