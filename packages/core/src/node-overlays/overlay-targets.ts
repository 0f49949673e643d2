import { labelKeys, type NodePool } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import { LabelKeySet, type RequirementPolicy, Requirements, Vocabulary } from '../requirements/index.ts';

/** Matches overlays with instance types. Parses each type once for all pools. */
export class OverlayTargets {
  readonly #vocabulary: Vocabulary;
  readonly #wellKnown: LabelKeySet;
  readonly #types = new Map<InstanceType, Requirements>();
  readonly #offered = new Map<string, Requirements>();

  constructor({ aliases, wellKnown }: RequirementPolicy) {
    this.#vocabulary = new Vocabulary({ keys: aliases });
    this.#wellKnown = this.#vocabulary.keySet(wellKnown);
  }

  requirements(items: Parameters<typeof Requirements.fromItems>[1]): Requirements {
    return Requirements.fromItems(this.#vocabulary, items);
  }

  /** The labels of a pool's nodes that do not depend on the instance type. */
  poolLabels({ metadata, spec }: NodePool): Requirements {
    const labels = { [labelKeys.nodePool]: metadata.name, ...spec.template.metadata?.labels };
    return Requirements.fromLabels(this.#vocabulary, labels);
  }

  /** Indexes of the offerings that an overlay selects; empty if it does not select the type. */
  offeringsMeeting(required: Requirements, poolLabels: Requirements, type: InstanceType): readonly number[] {
    if (!poolLabels.and(this.#typeRequirements(type)).compatible(required, LabelKeySet.empty)) return [];
    return type.offerings.flatMap(({ requirements }, index) =>
      required.compatible(this.#offeredIn(requirements), this.#wellKnown) ? [index] : [],
    );
  }

  #typeRequirements(type: InstanceType): Requirements {
    const known = this.#types.get(type) ?? this.requirements(type.requirements);
    this.#types.set(type, known);
    return known;
  }

  /** Cached by text: thousands of offerings share a few zones and capacity types. */
  #offeredIn(items: InstanceType['requirements']): Requirements {
    const text = JSON.stringify(items);
    const known = this.#offered.get(text) ?? this.requirements(items);
    this.#offered.set(text, known);
    return known;
  }
}
