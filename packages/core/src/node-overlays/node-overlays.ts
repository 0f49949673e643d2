import type { NodeOverlay, NodePool } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import { checkRequirement, type RequirementPolicy, type Requirements } from '../requirements/index.ts';
import { OverlayTargets } from './overlay-targets.ts';
import type { OverlayVerdict } from './overlay-verdict.ts';
import { TypeChanges, type TypeStatement } from './type-changes.ts';

export interface OverlayInputs {
  readonly nodePools: readonly NodePool[];
  /** By NodePool name, as the cloud provider lists them. */
  readonly instanceTypes: ReadonlyMap<string, readonly InstanceType[]>;
  /** In any order. */
  readonly overlays: readonly NodeOverlay[];
  /** Which labels overlays may use. */
  readonly policy: RequirementPolicy;
}

export interface OverlayOutcome {
  /** By NodePool name. Lists and types that no overlay changes are the same objects as in the input. */
  readonly instanceTypes: ReadonlyMap<string, readonly InstanceType[]>;
  /** In the order in which the overlays were applied. */
  readonly verdicts: readonly OverlayVerdict[];
}

/**
 * Applies overlays to instance types, as Karpenter does: highest weight first, ties by descending name. An
 * overlay that conflicts with another of the same weight on any pool is not applied anywhere.
 */
export function applyOverlays({ nodePools, instanceTypes, overlays, policy }: OverlayInputs): OverlayOutcome {
  if (overlays.length === 0) return { instanceTypes, verdicts: [] };
  const targets = new OverlayTargets(policy);
  const pools = nodePools.map(
    (pool) => new PoolTypes(targets, pool, instanceTypes.get(pool.metadata.name) ?? []),
  );
  const verdicts = overlays
    .toSorted(byWeight)
    .map((overlay) => validate(overlay, { pools, targets, policy }));
  const adjusted = new AdjustedTypes();
  const changed = pools.map((pool) => [pool.name, adjusted.of(pool)] as const);
  return { instanceTypes: new Map([...instanceTypes, ...changed]), verdicts };
}

function byWeight(a: NodeOverlay, b: NodeOverlay): number {
  return weightOf(b) - weightOf(a) || (a.metadata.name < b.metadata.name ? 1 : -1);
}

function weightOf({ spec }: NodeOverlay): number {
  return spec.weight ?? 0;
}

interface OverlayScope {
  readonly pools: readonly PoolTypes[];
  readonly targets: OverlayTargets;
  readonly policy: RequirementPolicy;
}

function validate(overlay: NodeOverlay, { pools, targets, policy }: OverlayScope): OverlayVerdict {
  const { name } = overlay.metadata;
  const message = requirementsFlaw(overlay, policy);
  if (message !== undefined) return { overlay: name, verdict: 'invalid', message };
  const required = targets.requirements(overlay.spec.requirements);
  const statements = pools.flatMap((pool) => pool.statements(overlay, required));
  if (statements.some(({ changes, statement }) => changes.contradicts(statement))) {
    return { overlay: name, verdict: 'conflict' };
  }
  for (const { changes, statement } of statements) changes.add(statement);
  return { overlay: name, verdict: 'valid' };
}

function requirementsFlaw({ spec }: NodeOverlay, policy: RequirementPolicy): string | undefined {
  const flaws = spec.requirements
    .map((item) => checkRequirement(item, policy))
    .filter((problems) => problems.length > 0)
    .map((problems) => `invalid value: ${problems.join('; ')} in requirements, restricted`);
  return flaws.length === 0 ? undefined : flaws.join('; ');
}

/** The instance types of one pool with the changes collected so far. */
class PoolTypes {
  readonly name: string;
  readonly types: readonly InstanceType[];
  readonly changes: ReadonlyMap<InstanceType, TypeChanges>;
  readonly #targets: OverlayTargets;
  readonly #labels: Requirements;

  constructor(targets: OverlayTargets, pool: NodePool, types: readonly InstanceType[]) {
    this.name = pool.metadata.name;
    this.types = types;
    this.changes = new Map(types.map((type) => [type, new TypeChanges()]));
    this.#targets = targets;
    this.#labels = targets.poolLabels(pool);
  }

  /** The changes an overlay would make in this pool. */
  statements({ spec, ...overlay }: NodeOverlay, required: Requirements): readonly Change[] {
    const { price = spec.priceAdjustment, capacity = {} } = spec;
    const weight = weightOf({ ...overlay, spec });
    return [...this.changes].flatMap(([type, changes]) => {
      const offerings = this.#targets.offeringsMeeting(required, this.#labels, type);
      return offerings.length === 0 ? [] : [{ changes, statement: { weight, price, capacity, offerings } }];
    });
  }
}

interface Change {
  readonly changes: TypeChanges;
  readonly statement: TypeStatement;
}

/**
 * Shares the changed type among pools with the same changes, because planning recognises equal types by
 * identity.
 */
class AdjustedTypes {
  readonly #adjustedTypes = new Map<InstanceType, Map<string, InstanceType>>();

  of({ types, changes }: PoolTypes): readonly InstanceType[] {
    const adjusted = types.map((type) => this.#adjusted(type, changes.get(type) ?? new TypeChanges()));
    return adjusted.every((type, index) => type === types[index]) ? types : adjusted;
  }

  #adjusted(type: InstanceType, changes: TypeChanges): InstanceType {
    const byText = this.#adjustedTypes.get(type) ?? new Map<string, InstanceType>();
    this.#adjustedTypes.set(type, byText);
    const { text } = changes;
    const result = byText.get(text) ?? changes.applyTo(type);
    byText.set(text, result);
    return result;
  }
}
