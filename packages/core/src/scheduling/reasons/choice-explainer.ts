import { labelKeys } from '../../api/index.ts';
import {
  type LabelKey,
  type Requirement,
  type Requirements,
  requirementText,
} from '../../requirements/index.ts';
import { memoized } from '../../values/index.ts';
import type { PlanContext } from '../context/plan-context.ts';
import { fitsInto } from '../context/resource-axes.ts';
import type { NodeTemplate, TemplateOffer } from '../instance-types/node-template.ts';
import type { LoadContent } from '../new-nodes/node-load.ts';
import type { ChosenOffering, Narrowing, NarrowingSource, NodeChoice, PassedPool } from './node-choice.ts';

const maxAlternatives = 2;

/** A planned node whose offers are decided. */
export interface DecidedNode {
  readonly template: NodeTemplate;
  readonly contents: readonly LoadContent[];
  /** Offers that all its pods allow, whether or not they hold the pods. */
  readonly mask: Uint32Array;
  /** Of all its pods together. */
  readonly requirements: Requirements;
  readonly size: Float64Array;
  /** Offers it may launch on, the cheapest first. */
  readonly offers: readonly TemplateOffer[];
  /** The same, with offers of reservations that it does not hold. */
  readonly fitting: readonly TemplateOffer[];
  /** Ids of the reservations that it may launch from. */
  readonly held: readonly string[];
}

/** Explains the choice of each planned node. Computes what many nodes share once. */
export class ChoiceExplainer {
  readonly #context: PlanContext;
  readonly #zone: LabelKey;
  readonly #capacityType: LabelKey;
  readonly #ownKeys: (template: NodeTemplate) => ReadonlySet<LabelKey>;
  readonly #text = memoized((requirement: Requirement) => requirementText(requirement));

  constructor(context: PlanContext) {
    this.#context = context;
    this.#zone = context.vocabulary.key(labelKeys.zone);
    this.#capacityType = context.vocabulary.key(labelKeys.capacityType);
    this.#ownKeys = memoized(
      ({ nodePool }: NodeTemplate) =>
        new Set(nodePool.spec.template.spec.requirements.map(({ key }) => context.vocabulary.key(key))),
    );
  }

  explain(node: DecidedNode): NodeChoice {
    const [chosen] = node.offers;
    if (chosen === undefined) throw new RangeError('a planned node has no offer');
    const smaller = nextCheaperTooSmall(node, chosen);
    return {
      offering: this.#offering(chosen),
      fill: this.#fill(node, chosen),
      ...(smaller === undefined ? {} : { tooSmall: this.#offering(smaller) }),
      bindingResources: smaller === undefined ? [] : this.#lacking(node, smaller),
      alternatives: alternativesTo(chosen, node.fitting).map((offer) => this.#offering(offer)),
      narrowings: this.#narrowings(node),
      passedOver: passedOver(node),
    };
  }

  #offering({ of, offering }: TemplateOffer): ChosenOffering {
    const [zone] = offering.requirements.find(this.#zone)?.values() ?? [];
    const [capacityType] = offering.requirements.find(this.#capacityType)?.values() ?? [];
    return {
      instanceType: of.type.name,
      ...(zone === undefined ? {} : { zone }),
      ...(capacityType === undefined ? {} : { capacityType }),
      ...(offering.reservation === undefined ? {} : { reservation: offering.reservation.id }),
      price: offering.price,
    };
  }

  #fill({ size }: DecidedNode, { of, offering }: TemplateOffer): Record<string, number> {
    const fill: Record<string, number> = {};
    for (const [axis, name] of this.#context.axes.names.entries()) {
      const used = (size[axis] ?? 0) + (of.daemonSize[axis] ?? 0);
      const whole = offering.allocatable[axis] ?? 0;
      if (used > 0 && whole > 0) fill[name] = Math.round((1000 * used) / whole) / 1000;
    }
    return fill;
  }

  #lacking({ size }: DecidedNode, { room }: TemplateOffer): readonly string[] {
    return this.#context.axes.names.filter((_, axis) => (size[axis] ?? 0) > (room[axis] ?? 0));
  }

  #narrowings({ template, contents, requirements, held }: DecidedNode): readonly Narrowing[] {
    const narrowings: Narrowing[] = [];
    for (const requirement of requirements.entries) {
      const { key } = requirement;
      const own = template.requirements.find(key);
      const isOwn = this.#ownKeys(template).has(key);
      if (!isOwn && own === requirement) continue;
      const by = own === requirement ? [] : sourcesOf(contents, key);
      if (!isOwn && by.length === 0) continue;
      narrowings.push({
        key: key.name,
        requirement: this.#text(requirement),
        by: isOwn ? ['nodepool', ...by] : by,
      });
    }
    return held.length === 0 ? narrowings : [...narrowings, reservationNarrowing(this.#context, held)];
  }
}

function reservationNarrowing({ options }: PlanContext, held: readonly string[]): Narrowing {
  const key = options.reservedCapacity?.idLabel ?? '';
  return { key, requirement: `${key} In [${held.join(' ')}]`, by: ['reservation'] };
}

/** The next offer below the chosen price that the pods allow and that does not hold them. */
function nextCheaperTooSmall(
  { template, mask, size }: DecidedNode,
  { index }: TemplateOffer,
): TemplateOffer | undefined {
  for (let cheaper = index - 1; cheaper >= 0; cheaper--) {
    const offer = template.offers[cheaper];
    if (offer !== undefined && template.kinds.allows(mask, offer) && !fitsInto(size, offer.room))
      return offer;
  }
  return undefined;
}

/** Without reservations: the node does not hold them, other nodes may. */
function alternativesTo(chosen: TemplateOffer, fitting: readonly TemplateOffer[]): readonly TemplateOffer[] {
  const found: TemplateOffer[] = [];
  for (const offer of fitting) {
    if (offer.offering.reservation !== undefined) continue;
    const isSame = chosen.offering.reservation === undefined && offer.of === chosen.of;
    if (isSame || found.some(({ of }) => of === offer.of)) continue;
    found.push(offer);
    if (found.length === maxAlternatives) break;
  }
  return found;
}

function sourcesOf(contents: readonly LoadContent[], key: LabelKey): readonly NarrowingSource[] {
  const sources = new Set<NarrowingSource>();
  for (const { item } of contents) {
    const { variant, volumes, groups } = item.request;
    if (variant.strict.find(key) !== undefined) sources.add('pods');
    else if (variant.requirements.find(key) !== undefined) sources.add('preferences');
    if (volumes.find(key) !== undefined) sources.add('volumes');
    for (const group of groups) if (group.key === key && !group.isHostname) sources.add(group.kind);
  }
  return [...sources];
}

function passedOver({ contents }: DecidedNode): readonly PassedPool[] {
  const passed = new Map<string, PassedPool>();
  for (const { item } of contents) {
    for (const pool of item.passedOver) if (!passed.has(pool.nodePool)) passed.set(pool.nodePool, pool);
  }
  return [...passed.values()];
}
