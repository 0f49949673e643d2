import type { NodeClaim } from '../api/index.ts';
import type { ClusterNode } from '../state/index.ts';
import { rowId } from './node-row.ts';

export interface NodeObjects {
  readonly node: ClusterNode | undefined;
  readonly claim: NodeClaim | undefined;
}

type IdentityEvent =
  | { readonly type: 'applied' | 'deleted'; readonly kind: 'Node'; readonly object: ClusterNode }
  | { readonly type: 'applied' | 'deleted'; readonly kind: 'NodeClaim'; readonly object: NodeClaim };

/**
 * Joins Nodes and NodeClaims to rows. A NodeClaim changes its row once, when its instance gets a provider ID;
 * from then on the Node that registers with the same provider ID belongs to the same row.
 */
export class NodeIdentities {
  readonly #objects = new Map<string, NodeObjects>();
  readonly #ofNode = new Map<string, string>();
  readonly #ofClaim = new Map<string, string>();

  /** The rows that the event touches. */
  apply(event: IdentityEvent): ReadonlySet<string> {
    const ids = event.kind === 'Node' ? this.#ofNode : this.#ofClaim;
    const { name } = event.object.metadata;
    const before = ids.get(name);
    const after = event.type === 'deleted' ? undefined : this.#freeId(event);
    if (before !== undefined && before !== after) this.#put(before, event.kind, undefined);
    if (after === undefined) ids.delete(name);
    else {
      ids.set(name, after);
      this.#put(after, event.kind, event.object);
    }
    return new Set([before, after].filter((id) => id !== undefined));
  }

  ofNode(nodeName: string): string | undefined {
    return this.#ofNode.get(nodeName);
  }

  objectsOf(id: string): NodeObjects | undefined {
    return this.#objects.get(id);
  }

  /**
   * The row of the object, and for a second Node or NodeClaim with a provider ID that another one has already
   * a row under its own name: neither may hide the other.
   */
  #freeId(event: IdentityEvent): string {
    const id = idOf(event);
    const known = this.#objects.get(id);
    const other = event.kind === 'Node' ? known?.node : known?.claim;
    const { name } = event.object.metadata;
    return other === undefined || other.metadata.name === name ? id : `${event.kind}/${name}`;
  }

  #put(id: string, kind: IdentityEvent['kind'], object: ClusterNode | NodeClaim | undefined): void {
    const known = this.#objects.get(id) ?? { node: undefined, claim: undefined };
    const objects = { ...known, [kind === 'Node' ? 'node' : 'claim']: object } as NodeObjects;
    if (objects.node === undefined && objects.claim === undefined) this.#objects.delete(id);
    else this.#objects.set(id, objects);
  }
}

function idOf(event: IdentityEvent): string {
  return event.kind === 'Node' ? rowId(event.object, undefined) : rowId(undefined, event.object);
}
