import { CodedError } from '@karpenter/core/errors';
import type { Log } from '@karpenter/core/ports';
import { isConflict, isNotFound, type KubeClient, kinds } from '@karpenter/kube/client';
import type { AgentNode, NodeChange } from './node-changes.ts';

const maxTries = 5;

export interface GuardedNodeParts {
  readonly client: Pick<KubeClient, 'get' | 'list' | 'patch'>;
  readonly log: Log;
  /** The configured name. */
  readonly nodeName: string;
  readonly isDryRun: boolean;
  readonly usesCache: boolean;
}

/** Reads and changes the node that the agent guards. */
export class GuardedNode {
  readonly #parts: GuardedNodeParts;
  #name: string | undefined;

  constructor(parts: GuardedNodeParts) {
    this.#parts = parts;
  }

  async read(): Promise<AgentNode> {
    if (this.#name !== undefined) return this.#parts.client.get(kinds.node, { name: this.#name });
    const node = (await this.#byHostname()) ?? (await this.#byName());
    this.#name = node.metadata?.name;
    return node;
  }

  /**
   * Applies a change that is computed from the current node, again when another writer was faster: a list of taints is
   * written as a whole and must not lose theirs. Returns whether anything had to change.
   */
  async change(what: string, changeOf: (node: AgentNode) => NodeChange | undefined): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      const node = await this.read();
      const change = changeOf(node);
      if (change === undefined) return false;
      if (this.#parts.isDryRun) {
        this.#parts.log.info(`would ${what} if this were no dry run`, { node: node.metadata?.name });
        return true;
      }
      try {
        await this.#patch(node, change);
        return true;
      } catch (error) {
        if (!isConflict(error) || tries >= maxTries) throw error;
      }
    }
  }

  async #patch({ metadata = {} }: AgentNode, change: NodeChange): Promise<void> {
    const { name = '', resourceVersion } = metadata;
    const body = { ...change, metadata: { ...change.metadata, resourceVersion } };
    await this.#parts.client.patch(kinds.node, { name }, { type: 'merge', body });
  }

  /**
   * Some clouds name nodes differently from their hosts. A node with exactly the configured name comes first, because
   * short host names are not unique.
   */
  async #byHostname(): Promise<AgentNode | undefined> {
    const { client, nodeName, usesCache } = this.#parts;
    const names = [...new Set([nodeName, nodeName.split('.')[0] ?? ''])].filter((name) => name.length <= 63);
    const { items } = await client.list(kinds.node, {
      labelSelector: `kubernetes.io/hostname in (${names.join(',')})`,
      ...(usesCache && { resourceVersion: '0' }),
    });
    const exact = items.find(({ metadata }) => metadata?.name === nodeName);
    return exact ?? (items.length === 1 ? items[0] : undefined);
  }

  async #byName(): Promise<AgentNode> {
    const { client, nodeName } = this.#parts;
    try {
      return await client.get(kinds.node, { name: nodeName });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw new CodedError(
        'unknown-object',
        `there is no node named ${nodeName} nor one with that host name; set NODE_NAME from spec.nodeName`,
        { details: { node: nodeName }, cause: error },
      );
    }
  }
}
