import { memoized } from '../../values/index.ts';
import { inSteps, type Steps } from '../../yielding/index.ts';
import { howManyFit } from '../context/resource-axes.ts';
import { minValuesShortfalls } from '../instance-types/min-values.ts';
import type { TemplateOffer } from '../instance-types/node-template.ts';
import { sharedSlack } from '../limits/limit-slack.ts';
import { Allowance } from '../limits/limits.ts';
import { reservedRoom } from '../limits/reservations.ts';
import { type Cost, comparePrices } from '../packing/cost.ts';
import type { PackedNode } from '../packing/packing-problem.ts';
import type { PlacementItem } from '../placement/placement-item.ts';
import type { PlannedNode, PlanOptions } from '../plan-result.ts';
import { isNoLarger, largestLimitUsage, type NodeDraft, NodeDrafts } from './node-drafts.ts';
import { isKeptApart, loadOf, type NodeLoad, podsLeft, takePods } from './node-load.ts';
import { type DraftedNodes, NodeWriter, type NodeWriterInputs } from './node-writer.ts';
import { ReservedLoads } from './reserved-loads.ts';

/** What the nodes of one NodePool are built from. */
export interface NodeBuilderInputs extends NodeWriterInputs {
  readonly options: PlanOptions;
  readonly items: readonly PlacementItem[];
  readonly packed: readonly PackedNode[];
  /** Items that could use a capacity reservation, but none is left. */
  readonly unreserved: ReadonlySet<PlacementItem>;
}

/** Builds the planned nodes of one NodePool from its packing and assigns pods to them, within the limits. */
export class NodeBuilder {
  readonly #inputs: NodeBuilderInputs;
  readonly #allowance: Allowance;
  readonly #drafts: NodeDrafts;
  readonly #reserved: ReservedLoads;
  readonly #writer: NodeWriter;
  /** Loads that use more of the limits than packing charged for them: they are built after all others. */
  readonly #larger: NodeLoad[] = [];
  readonly #drafted: DraftedNodes[] = [];
  /** Result of `#computeAllowsLargest`, once it is needed. */
  #allowsLargest: boolean | undefined;
  /** Whether the limits still allow some type; computed again after each node. */
  #isOpen: boolean | undefined;
  /** By list of offers and ceiling, the offers within the ceiling. */
  readonly #withinCeiling = memoized(
    (_offers: readonly TemplateOffer[]) => new Map<string, readonly TemplateOffer[]>(),
  );

  /** Whether some offer has room for a load, within the limits if there are any. */
  readonly #isPossible = (load: NodeLoad): boolean =>
    (this.#allowance.isLimited ? this.#drafts.affordable(load) : this.#drafts.unlimited(load)) !== undefined;

  constructor(inputs: NodeBuilderInputs) {
    const { template, options } = inputs;
    this.#inputs = inputs;
    this.#allowance = new Allowance(template.remaining);
    this.#drafts = new NodeDrafts(template, options, this.#allowance);
    this.#reserved = new ReservedLoads(inputs);
    this.#writer = new NodeWriter(inputs);
  }

  /** Builds packed nodes. Under limits, those that turn out to need larger types wait for `buildLarger`. */
  build(node: PackedNode): void {
    const { times } = node;
    const offer = this.#inputs.template.offers[node.offer];
    const load = this.#loadOf(node);
    if (!this.#allowance.isLimited) {
      this.#buildUnlimited(load, times);
      return;
    }
    if (this.#reserved.mustAllWait(load)) return;
    const charged = offer?.of.limitUsage ?? new Float64Array();
    const offers = this.#drafts.offersFor(load).filter(({ of }) => isNoLarger(of.limitUsage, charged));
    const requirements = this.#drafts.requirementsOf(load);
    const isShort = minValuesShortfalls(requirements, offers).length > 0;
    if (isShort || !this.#allowance.affords(charged, times)) {
      for (let i = 0; i < times; i++) this.#buildLargerOnce(load);
      return;
    }
    this.#charge({ load, requirements, offers }, charged, times);
  }

  /** Builds the node at once if that cannot take limits from nodes after it, otherwise in `buildLarger`. */
  #buildLargerOnce(load: NodeLoad): void {
    this.#allowsLargest ??= this.#computeAllowsLargest();
    if (this.#allowsLargest) this.#buildLimited(load);
    else this.#larger.push(load);
  }

  /** Whether the limits allow all packed nodes even if each is launched as its largest type. */
  #computeAllowsLargest(): boolean {
    const allowance = new Allowance(this.#inputs.template.remaining);
    return this.#inputs.packed.every((node) => {
      const largest = largestLimitUsage(this.#drafts.offersFor(this.#loadOf(node)));
      const isAfforded = allowance.affords(largest, node.times);
      allowance.spend(largest, node.times);
      return isAfforded;
    });
  }

  #loadOf({ contents, offer }: PackedNode): NodeLoad {
    const { items, template } = this.#inputs;
    return {
      reservation: template.offers[offer]?.offering.reservation?.id,
      contents: contents.flatMap(([index, count]) => {
        const item = items[index];
        return item === undefined ? [] : [{ item, count }];
      }),
    };
  }

  /** Nodes that need larger types for `minValues`, within what the limits leave after all others. */
  buildLarger(): void {
    for (const load of this.#larger) this.#buildLimited(load);
  }

  /** More nodes for pods of the item that packing left out, one at a time, within the limits. */
  buildMore(item: PlacementItem): void {
    let hasRoom = item.usesSpareCapacity !== true;
    while (hasRoom) hasRoom = this.#buildOneMore(item);
  }

  /** One node for an item whose count was fitted to it by `roomFor`. */
  buildFor(item: PlacementItem): void {
    this.#buildLimited(loadOf(item, item.count));
  }

  /**
   * The planned nodes. Has to be called last: what is left of limits and reservations then goes to the nodes there are,
   * as additional types and reservations.
   */
  *nodes(): Steps<readonly PlannedNode[]> {
    const drafted = this.#allowance.left === undefined ? this.#drafted : this.#widened(this.#allowance.left);
    const nodes = yield* inSteps(drafted, (each) => this.#writer.write(each), 'medium');
    return nodes.flat();
  }

  /** Of the nodes written by `nodes`. */
  get cost(): Cost {
    return this.#writer.cost;
  }

  /**
   * The nodes with as many types as the remaining limits allow whichever type is launched for each: a launch with more
   * types fails less often for lack of capacity.
   */
  #widened(slack: Float64Array): readonly DraftedNodes[] {
    const all = this.#drafted.map(({ draft, ...drafted }) => {
      return { ...drafted, draft: { ...draft, offers: this.#drafts.offersFor(draft.load) } };
    });
    const single = all.flatMap((drafted) => drafted.pods.map((pods) => ({ ...drafted, pods: [pods] })));
    const charged = single.map((drafted) => ({ charged: drafted.charged, offers: drafted.draft.offers }));
    const ceilings = sharedSlack(charged, slack);
    if (ceilings === undefined) return all;
    return single.map((drafted, index) => {
      const offers = this.#within(drafted.draft.offers, ceilings[index] ?? drafted.charged);
      return { ...drafted, draft: { ...drafted.draft, offers } };
    });
  }

  /** Returns the same list for the same ceiling, because `ClaimWriter` memoizes by the identity of the list. */
  #within(offers: readonly TemplateOffer[], ceiling: Float64Array): readonly TemplateOffer[] {
    const known = this.#withinCeiling(offers);
    const name = ceiling.join();
    const within = known.get(name) ?? offers.filter(({ of }) => isNoLarger(of.limitUsage, ceiling));
    known.set(name, within);
    return within;
  }

  /** How many of the units that are left go on one more node, the one with the lowest price per unit. */
  roomFor(item: PlacementItem, left: number): number {
    return this.oneMoreFor(item, left).count;
  }

  /** As `roomFor`, with the price of that node. */
  oneMoreFor(item: PlacementItem, left: number): AnotherNode {
    if (!this.#hasLimitsLeft || this.#reserved.mustWait(item)) return noOther;
    const most = isKeptApart(item) ? 1 : left;
    let best: AnotherNode = noOther;
    for (const { of, offering, room, price } of this.#drafts.offersFor(loadOf(item, 1))) {
      if (offering.reservation !== undefined || !this.#allowance.affords(of.limitUsage)) continue;
      const count = Math.min(most, howManyFit(item.size, room));
      if (best.count === 0 || comparePrices(price * best.count, best.price * count) < 0)
        best = { count, price };
    }
    const count = [best.count, 1].find(
      (units) => units > 0 && this.#drafts.affordable(loadOf(item, units)) !== undefined,
    );
    return count === undefined ? noOther : { count, price: best.price };
  }

  /** How many of the units that are left go on one instance of a reservation that no node uses. */
  reservedRoomFor(item: PlacementItem, left: number): number {
    const most = Math.min(isKeptApart(item) ? 1 : left, reservedRoom(this.#inputs.reservations, item));
    const isPossible = (units: number) =>
      units > 0 && this.#reserved.remainingFor(loadOf(item, units), this.#isPossible) !== undefined;
    return [most, Math.min(most, 1)].find(isPossible) ?? 0;
  }

  /** One node for an item whose count was fitted to it by `reservedRoomFor`. */
  buildReserved(item: PlacementItem): void {
    for (const load of this.#reserved.onRemaining(loadOf(item, item.count), 1, this.#isPossible)) {
      if (this.#allowance.isLimited) this.#buildLimited(load);
      else this.#buildUnlimited(load, 1);
    }
  }

  get #hasLimitsLeft(): boolean {
    this.#isOpen ??=
      this.#allowance.isLimited &&
      this.#inputs.template.types.some(({ limitUsage }) => this.#allowance.affords(limitUsage));
    return this.#isOpen;
  }

  /** Adds nodes and charges each against the limits. */
  #charge(draft: NodeDraft, charged: Float64Array, times: number): void {
    this.#allowance.spend(charged, times);
    this.#isOpen = undefined;
    this.#add(draft, charged, times);
  }

  #add(draft: NodeDraft, charged: Float64Array, times: number): void {
    const pods = Array.from({ length: times }, () => takePods(draft.load));
    this.#drafted.push({ draft, charged, pods });
  }

  #buildUnlimited(load: NodeLoad, times: number): void {
    if (this.#reserved.mustAllWait(load)) {
      for (const part of this.#reserved.onRemaining(load, times, this.#isPossible))
        this.#buildUnlimited(part, 1);
      return;
    }
    const draft = this.#drafts.unlimited(load);
    if (draft !== undefined) this.#add(draft, noLimits, times);
    else
      for (const part of this.#reserved.divided(load, times, this.#isPossible))
        this.#buildUnlimited(part.load, part.times);
  }

  #buildLimited(load: NodeLoad): void {
    if (this.#reserved.mustAllWait(load)) {
      for (const part of this.#reserved.onRemaining(load, 1, this.#isPossible)) this.#buildLimited(part);
      return;
    }
    const draft = this.#drafts.affordable(load);
    if (draft !== undefined) this.#charge(draft, largestLimitUsage(draft.offers), 1);
    else for (const part of this.#reserved.divided(load, 1, this.#isPossible)) this.#buildLimited(part.load);
  }

  /** Builds one more node for an item; returns whether the limits allowed it. */
  #buildOneMore(item: PlacementItem): boolean {
    const before = this.#drafted.length;
    const left = item.isSharedHost ? Math.min(1, podsLeft(item)) : podsLeft(item);
    const count = left === 0 ? 0 : this.roomFor(item, left);
    if (count > 0) this.#buildLimited(loadOf(item, count));
    return this.#drafted.length > before;
  }
}

/** A node that the limits still allow. */
interface AnotherNode {
  /** How many units it takes. */
  readonly count: number;
  /** Dollars an hour. */
  readonly price: number;
}

const noOther: AnotherNode = { count: 0, price: 0 };

const noLimits = new Float64Array(0);
