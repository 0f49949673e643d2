import { labelKeys, type NodeClaim } from '../../api/index.ts';
import type { InstanceType } from '../../ports/index.ts';
import { OrderedMap } from '../collections/ordered-map.ts';
import { claimIdOf } from '../nodes/node-identity.ts';
import type { LaunchRecords } from './launch-records.ts';
import { type LaunchingClaim, launchingView } from './launching-claim.ts';

type TypesOf = (nodePool: string) => readonly InstanceType[];

interface Known {
  readonly launching: LaunchingClaim;
  readonly types: readonly InstanceType[];
}

/**
 * NodeClaims that are not launched yet, so that their instance type is unknown, and the pods they are for.
 */
export class Launches {
  readonly #records: LaunchRecords;
  readonly #claims = new OrderedMap<NodeClaim>();
  readonly #known = new Map<string, Known>();

  constructor(records: LaunchRecords) {
    this.#records = records;
  }

  /** A claim that is being deleted will never become a node, so its pods are released at once. */
  put(claim: NodeClaim): void {
    const { name, deletionTimestamp } = claim.metadata;
    if (deletionTimestamp !== undefined) {
      this.remove(name);
      return;
    }
    this.#known.delete(name);
    if (claimIdOf(claim) === undefined) this.#claims.set(name, claim);
    else this.#claims.delete(name);
  }

  remove(name: string): void {
    this.#claims.delete(name);
    this.#known.delete(name);
    this.#records.forget(name);
  }

  list(typesOf: TypesOf): readonly LaunchingClaim[] {
    return this.#claims.values().map((claim) => this.#launching(claim, typesOf));
  }

  #launching(nodeClaim: NodeClaim, typesOf: TypesOf): LaunchingClaim {
    const { name, labels } = nodeClaim.metadata;
    const types = typesOf(labels?.[labelKeys.nodePool] ?? '');
    const pods = this.#records.podsOf(name);
    const known = this.#known.get(name);
    if (known?.types === types && known.launching.pods === pods) return known.launching;
    const view = launchingView(nodeClaim, types);
    const launching = { nodeClaim, view, ...(pods !== undefined && { pods }) };
    this.#known.set(name, { launching, types });
    return launching;
  }
}
