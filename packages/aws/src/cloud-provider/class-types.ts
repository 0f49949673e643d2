import { CodedError } from '@karpenter/core/errors';
import { type InstanceType, isNodeClassNotReady, nodeClassNotReady } from '@karpenter/core/ports';
import type { InstanceTypeProvider } from '../instance-type-provider/index.ts';
import type { PlacementGroup } from '../instance-types/index.ts';
import type { EC2NodeClass } from '../node-class/index.ts';
import type { PlacementGroupProvider } from '../placement-groups/index.ts';

export interface ClassTypesOptions {
  readonly instanceTypes: Pick<InstanceTypeProvider, 'list'>;
  readonly placementGroups: Pick<PlacementGroupProvider, 'resolve'>;
}

export interface ResolvedTypes {
  readonly types: readonly InstanceType[];
  readonly group: PlacementGroup | undefined;
}

/** Resolves the instance types of a NodeClass, and the placement group they are launched into. */
export class ClassTypes {
  readonly #options: ClassTypesOptions;
  readonly #byName = new WeakMap<readonly InstanceType[], ReadonlyMap<string, InstanceType>>();

  constructor(options: ClassTypesOptions) {
    this.#options = options;
  }

  /** Fails with nodeClassNotReady if the class selects a group that cannot be found. */
  async of(nodeClass: EC2NodeClass): Promise<ResolvedTypes> {
    const group = await this.groupOf(nodeClass);
    return { types: this.#options.instanceTypes.list(nodeClass, group), group };
  }

  /**
   * Finds one type. Returns undefined also if the types of the class cannot be resolved: one class without subnets must
   * not fail Get and List, and with them garbage collection (ADR 0022).
   */
  async find(nodeClass: EC2NodeClass, name: string): Promise<InstanceType | undefined> {
    try {
      const { types } = await this.of(nodeClass);
      return this.#index(types).get(name);
    } catch (error) {
      if (isNodeClassNotReady(error) || isWithoutTypes(error)) return undefined;
      throw error;
    }
  }

  /** A stale group counts as found: `resolve` returns one together with a failure if EC2 cannot be reached. */
  async groupOf({ spec }: EC2NodeClass): Promise<PlacementGroup | undefined> {
    if (spec.placementGroupSelector === undefined) return undefined;
    const { group, failure, cause } = await this.#options.placementGroups.resolve(
      spec.placementGroupSelector,
    );
    if (group === undefined && failure !== undefined) throw nodeClassNotReady(failure.message, { cause });
    return group;
  }

  #index(types: readonly InstanceType[]): ReadonlyMap<string, InstanceType> {
    const known = this.#byName.get(types);
    if (known !== undefined) return known;
    const index = new Map(types.map((type) => [type.name, type]));
    this.#byName.set(types, index);
    return index;
  }
}

function isWithoutTypes(error: unknown): boolean {
  return error instanceof CodedError && error.code === 'no-instance-types';
}
