import { type Requirements, relaxMinValues } from '../../requirements/index.ts';
import { inSteps } from '../../yielding/index.ts';
import { remembered } from '../context/remembered.ts';
import { addTo, howManyFit } from '../context/resource-axes.ts';
import type { World } from '../context/world.ts';
import { driversOf } from '../devices/index.ts';
import type { NodeTemplate, TemplateOffer } from '../instance-types/node-template.ts';
import { intersectionOf } from '../instance-types/offer-mask.ts';
import { varietyShortfalls } from '../instance-types/variety.ts';
import { sharedSlack } from '../limits/limit-slack.ts';
import { Allowance } from '../limits/limits.ts';
import type { Reservations } from '../limits/reservations.ts';
import { comparePrices } from '../packing/cost.ts';
import type { Machine } from '../packing/packing-problem.ts';
import type { PlacementItem } from '../placement/placement-item.ts';
import type { PlannedNode, PlanSignal } from '../plan-result.ts';
import type { ChoiceExplainer } from '../reasons/choice-explainer.ts';
import type { NodeChoice } from '../reasons/node-choice.ts';
import type { ClaimWriter } from './claim-writer.ts';

/** What the nodes of one pool are made of. */
export interface PoolSupplies {
  readonly world: World;
  readonly explainer: ChoiceExplainer;
  readonly writer: ClaimWriter;
  readonly template: NodeTemplate;
  readonly items: readonly PlacementItem[];
  readonly machines: readonly Machine[];
  /** Items that could use a capacity reservation, of which none is left. */
  readonly unreserved: ReadonlySet<PlacementItem>;
}

/** Makes the NodeClaims of one pool out of the machines that were bought for it, and hands out their pods. */
export class NodeMaker {
  readonly #supplies: PoolSupplies;
  readonly #allowance: Allowance;
  /** Machines that take more of the limits than was counted, or cannot be had as they are. */
  readonly #doubtful: Load[] = [];
  readonly #made: MadeNodes[] = [];
  /** Unknown until a machine takes more of the limits than was counted. */
  #isAmple: boolean | undefined;
  readonly #withinCeiling = remembered(
    (_offers: readonly TemplateOffer[]) => new Map<string, readonly TemplateOffer[]>(),
  );
  /** Whether the limits allow some machine yet; unknown after each that is made. */
  #isOpen: boolean | undefined;
  readonly #and = remembered((first: Requirements) =>
    remembered((second: Requirements) => first.and(second)),
  );

  constructor(supplies: PoolSupplies) {
    this.#supplies = supplies;
    this.#allowance = new Allowance(supplies.template.remaining);
  }

  /** Nodes for machines filled alike; under limits only if they are what was counted. */
  make(machine: Machine): void {
    const { times } = machine;
    const bought = this.#supplies.template.offers[machine.offer];
    const load = this.#loadOf(machine);
    if (!this.#allowance.isLimited) {
      this.#unlimited(load, times);
      return;
    }
    if (this.#isForNobody(load)) return;
    const counted = bought?.of.footprint ?? new Float64Array();
    const offers = this.#offersFor(load).filter(({ of }) => isNoLarger(of.footprint, counted));
    const requirements = this.#requirementsOf(load);
    if (varietyShortfalls(requirements, offers).length > 0 || !this.#allowance.affords(counted, times)) {
      for (let i = 0; i < times; i++) this.#makeLarger(load);
      return;
    }
    this.#charge({ load, requirements, offers }, counted, times);
  }

  /** At once where that takes nothing from the machines that come after it. */
  #makeLarger(load: Load): void {
    this.#isAmple ??= this.#holdsLargest();
    if (this.#isAmple) this.#limited(load);
    else this.#doubtful.push(load);
  }

  /** Whether the limits hold all machines that were bought as the largest type that each may become. */
  #holdsLargest(): boolean {
    const allowance = new Allowance(this.#supplies.template.remaining);
    return this.#supplies.machines.every((machine) => {
      const largest = largestOf(this.#offersFor(this.#loadOf(machine)));
      const isAfforded = allowance.affords(largest, machine.times);
      allowance.spend(largest, machine.times);
      return isAfforded;
    });
  }

  #loadOf({ contents, offer }: Machine): Load {
    const { items, template } = this.#supplies;
    return {
      reservation: template.offers[offer]?.offering.reservation?.id,
      contents: contents.flatMap(([index, count]) => {
        const item = items[index];
        return item === undefined ? [] : [{ item, count }];
      }),
    };
  }

  /** Larger machines for variety, as far as the limits still allow after all that was counted. */
  makeSuspect(): void {
    for (const load of this.#doubtful) this.#limited(load);
  }

  /** One more node each for what is left of an item, as far as the limits still allow. */
  makeMore(item: PlacementItem): void {
    let isRoom = item.usesSpareCapacity !== true;
    while (isRoom) isRoom = this.#oneMore(item);
  }

  /** One node for the units of an item that were found room for. */
  makeFor(item: PlacementItem): void {
    this.#limited(loadOf(item, item.count));
  }

  /**
   * The nodes that were made. What they may be launched as is settled last, when nobody else needs what is left of
   * limits and reservations.
   */
  *nodes(): Generator<void, readonly PlannedNode[], PlanSignal> {
    const made = this.#allowance.left === undefined ? this.#made : this.#widened(this.#allowance.left);
    const nodes = yield* inSteps(made, (each) => this.#planned(each));
    return nodes.flat();
  }

  /** With all that the nodes may be launched as, as far as what is left of the limits goes. */
  #widened(slack: Float64Array): readonly MadeNodes[] {
    const all = this.#made.map(({ draft, ...made }) => {
      return { ...made, draft: { ...draft, offers: this.#offersFor(draft.load) } };
    });
    const single = all.flatMap((made) => made.pods.map((pods) => ({ ...made, pods: [pods] })));
    const counted = single.map(({ charged, draft }) => ({ charged, offers: draft.offers }));
    const ceilings = sharedSlack(counted, slack);
    if (ceilings === undefined) return all;
    return single.map((made, index) => {
      const offers = this.#within(made.draft.offers, ceilings[index] ?? made.charged);
      return { ...made, draft: { ...made.draft, offers } };
    });
  }

  /** The same list for the same ceiling, as what a NodeClaim takes from it is written once for each list. */
  #within(offers: readonly TemplateOffer[], ceiling: Float64Array): readonly TemplateOffer[] {
    const known = this.#withinCeiling(offers);
    const name = ceiling.join();
    const within = known.get(name) ?? offers.filter(({ of }) => isNoLarger(of.footprint, ceiling));
    known.set(name, within);
    return within;
  }

  /** How many of the units that are left go on the node within the limits that has the lowest price for each. */
  roomFor(item: PlacementItem, left: number): number {
    return this.oneMoreFor(item, left).count;
  }

  /** The same, with the price of that node. */
  oneMoreFor(item: PlacementItem, left: number): AnotherNode {
    if (!this.#hasLimitsLeft || this.#mustWait(item)) return noOther;
    const most = isKeptApart(item) ? 1 : left;
    let best: AnotherNode = noOther;
    for (const { of, offering, room } of this.#offersFor(loadOf(item, 1))) {
      if (offering.reservation !== undefined || !this.#allowance.affords(of.footprint)) continue;
      const count = Math.min(most, howManyFit(item.size, room));
      if (best.count === 0 || comparePrices(offering.price * best.count, best.price * count) < 0)
        best = { count, price: offering.price };
    }
    const count = [best.count, 1].find(
      (units) => units > 0 && this.#affordable(loadOf(item, units)) !== undefined,
    );
    return count === undefined ? noOther : { count, price: best.price };
  }

  get #hasLimitsLeft(): boolean {
    this.#isOpen ??=
      this.#allowance.isLimited &&
      this.#supplies.template.types.some(({ footprint }) => this.#allowance.affords(footprint));
    return this.#isOpen;
  }

  /** Makes nodes that take so much of the limits each. */
  #charge(draft: Draft, charged: Float64Array, times: number): void {
    this.#allowance.spend(charged, times);
    this.#isOpen = undefined;
    this.#add(draft, charged, times);
  }

  #add(draft: Draft, charged: Float64Array, times: number): void {
    const pods = Array.from({ length: times }, () => draft.load.contents.flatMap(takePods));
    this.#made.push({ draft, charged, pods });
  }

  /** Whether pods wait for a capacity reservation unless there is a node for others that they can join. */
  #mustWait(item: PlacementItem): boolean {
    const { world, unreserved } = this.#supplies;
    return world.options.reservedCapacity?.mode === 'strict' && unreserved.has(item);
  }

  #isForNobody({ contents, reservation }: Load): boolean {
    return reservation === undefined && contents.every(({ item }) => this.#mustWait(item));
  }

  #unlimited(load: Load, times: number): void {
    const draftOf = (part: Load) => this.#varied(part, this.#offersFor(part));
    if (this.#isForNobody(load)) {
      for (const part of this.#leftToReservations(load, times, draftOf)) this.#unlimited(part, 1);
      return;
    }
    const draft = draftOf(load);
    if (draft !== undefined) this.#add(draft, noLimits, times);
    else for (const part of this.#parted(load, times, draftOf)) this.#unlimited(part.load, part.times);
  }

  #affordable(load: Load): Draft | undefined {
    const offers = this.#offersFor(load).filter(({ of }) => this.#allowance.affords(of.footprint));
    return this.#smallest(load, offers);
  }

  #limited(load: Load): void {
    const draftOf = (part: Load) => this.#affordable(part);
    if (this.#isForNobody(load)) {
      for (const part of this.#leftToReservations(load, 1, draftOf)) this.#limited(part);
      return;
    }
    const draft = draftOf(load);
    if (draft !== undefined) this.#charge(draft, largestOf(draft.offers), 1);
    else for (const part of this.#parted(load, 1, draftOf)) this.#limited(part.load);
  }

  /** As much as one machine may have, and the rest on others; as far as the reservation goes, or without. */
  #parted(load: Load, times: number, draftOf: (part: Load) => Draft | undefined): readonly LoadPart[] {
    const [first, rest] = partsOf(load, (part) => draftOf(part) !== undefined);
    if (first === undefined || rest === undefined) return [];
    const { reservations } = this.#supplies.world;
    const { contents, reservation } = rest;
    const more = reservation === undefined ? 0 : Math.min(times, reservations.left(reservation));
    if (reservation !== undefined) reservations.take(reservation, more);
    const parts = [
      { load: first, times },
      { load: rest, times: more },
      { load: { contents }, times: times - more },
    ];
    return parts.filter((part) => part.times > 0);
  }

  /** What pods that wait can have of reservations which packing did not need: it knows nothing of variety. */
  #leftToReservations(
    load: Load,
    times: number,
    draftOf: (part: Load) => Draft | undefined,
  ): readonly Load[] {
    const found: Load[] = [];
    for (let machine = 0; machine < times; machine++) {
      const parts = this.#onReservations(load, draftOf);
      if (parts.length === 0) break;
      found.push(...parts);
    }
    return found;
  }

  #onReservations(load: Load, draftOf: (part: Load) => Draft | undefined): readonly Load[] {
    if (this.#leftIds.length === 0) return [];
    const idFor = (part: Load) => this.#leftIds.find((id) => draftOf({ ...part, reservation: id }));
    const reservation = idFor(load);
    if (reservation === undefined) {
      const parts = partsOf(load, (part) => idFor(part) !== undefined);
      return parts.flatMap((part) => this.#onReservations(part, draftOf));
    }
    this.#supplies.world.reservations.take(reservation, 1);
    return [{ ...load, reservation }];
  }

  get #leftIds(): readonly string[] {
    const { world, template } = this.#supplies;
    const ids = template.reservedOffers.flatMap(({ offering }) => offering.reservation?.id ?? []);
    return [...new Set(ids)].filter((id) => world.reservations.left(id) > 0);
  }

  /** Whether there was room for one. */
  #oneMore(item: PlacementItem): boolean {
    const before = this.#made.length;
    const left = item.isSharedHost ? Math.min(1, podsLeft(item)) : podsLeft(item);
    const count = left === 0 ? 0 : this.roomFor(item, left);
    if (count > 0) this.#limited(loadOf(item, count));
    return this.#made.length > before;
  }

  /** The offers that hold the pods, zones aside, the cheapest first; some may be kept from it by a reservation. */
  #offersFor(load: Load): readonly TemplateOffer[] {
    const { template } = this.#supplies;
    const masks = load.contents.map(({ item }) => item.mask);
    return template.ranking.holding(masks, sizeOf(load));
  }

  #requirementsOf({ contents }: Load): Requirements {
    return contents
      .map(({ item }) => item.requirements)
      .reduce((all, next) => (all === next ? all : this.#and(all)(next)));
  }

  /** The load on these offers, if their types offer as many values as asked; a single unit may be asked for less. */
  #varied(load: Load, offers: readonly TemplateOffer[]): Draft | undefined {
    if (!offers.some((offer) => isOpenTo(load, offer))) return undefined;
    const requirements = this.#requirementsOf(load);
    const shortfalls = varietyShortfalls(requirements, offers);
    if (shortfalls.length === 0) return { load, requirements, offers };
    if (this.#supplies.world.options.minValuesPolicy === 'Strict' || unitsOf(load) > 1) return undefined;
    return { load, requirements: relaxMinValues(requirements, shortfalls), offers };
  }

  /**
   * On the cheapest machine that it can be had as and those no larger, and as many more of the cheapest as variety
   * asks for.
   */
  #smallest(load: Load, offers: readonly TemplateOffer[]): Draft | undefined {
    const draft = this.#varied(load, offers);
    if (draft === undefined) return undefined;
    const { requirements } = draft;
    const ranked = [...new Set([...offers.filter((offer) => isOpenTo(load, offer)), ...offers])];
    const enough = ranked.findIndex(
      (_, index) => varietyShortfalls(requirements, ranked.slice(0, index + 1)).length === 0,
    );
    const largest = largestOf(ranked.slice(0, enough + 1));
    return { ...draft, offers: offers.filter(({ of }) => isNoLarger(of.footprint, largest)) };
  }

  /** On reservations each node holds what then is left of them; all others are alike. */
  #planned({ draft, pods }: MadeNodes): readonly PlannedNode[] {
    const { load, offers } = draft;
    const { reservations } = this.#supplies.world;
    const { reservation } = load;
    if (reservation !== undefined) {
      return pods.map((uids) =>
        nodeWith(uids, this.#describe(draft, holdReservations(reservations, offers, reservation))),
      );
    }
    const alike = this.#describe(draft, []);
    return pods.map((uids) => nodeWith(uids, alike));
  }

  #describe({ load, requirements, offers: fitting }: Draft, held: readonly string[]): NodeDescription {
    const { writer, template, explainer } = this.#supplies;
    const offers =
      template.reservedOffers.length === 0 ? fitting : fitting.filter((offer) => isOpen(offer, held));
    const isVaried = offers === fitting || varietyShortfalls(requirements, offers).length === 0;
    const size = sizeOf(load);
    const { contents } = load;
    let choice: NodeChoice | undefined;
    return {
      nodePool: template.name,
      requirements: writer.requirements(requirements, offers, held),
      instanceTypes: writer.instanceTypes(isVaried ? offers : [...offers, ...fitting]),
      requests: writer.requests(size, offers),
      price: offers[0]?.offering.price ?? 0,
      ...claimedDrivers(load),
      choice: () => {
        const mask = maskOf(load);
        choice ??= explainer.explain({
          template,
          contents,
          mask,
          requirements,
          size,
          offers,
          fitting,
          held,
        });
        return choice;
      },
    };
  }
}

/** A node that the limits still allow. */
export interface AnotherNode {
  /** How many units it takes. */
  readonly count: number;
  /** Dollars an hour. */
  readonly price: number;
}

const noOther: AnotherNode = { count: 0, price: 0 };

/** What nodes for the same contents share. */
interface NodeDescription extends Omit<PlannedNode, 'pods' | 'choice'> {
  /** Worked out when somebody wants to know. */
  readonly choice: () => NodeChoice;
}

function nodeWith(pods: readonly string[], described: NodeDescription): PlannedNode {
  return {
    nodePool: described.nodePool,
    requirements: described.requirements,
    instanceTypes: described.instanceTypes,
    requests: described.requests,
    price: described.price,
    ...(described.drivers !== undefined && { drivers: described.drivers }),
    get choice() {
      return described.choice();
    },
    pods,
  };
}

function claimedDrivers({ contents }: Load): Pick<PlannedNode, 'drivers'> {
  const drivers = contents.flatMap(({ item }) => (item.devices === undefined ? [] : driversOf(item.devices)));
  return drivers.length === 0 ? {} : { drivers };
}

/** Items on one machine. */
interface Load {
  readonly contents: readonly Content[];
  /** Id of the capacity reservation that the machine is to be launched from. */
  readonly reservation?: string | undefined;
}

interface LoadPart {
  readonly load: Load;
  /** How many machines are filled alike. */
  readonly times: number;
}

/** Some units of an item on one machine. */
export interface Content {
  readonly item: PlacementItem;
  readonly count: number;
}

interface Draft {
  readonly load: Load;
  readonly requirements: Requirements;
  readonly offers: readonly TemplateOffer[];
}

/** Nodes with the same contents. */
interface MadeNodes {
  readonly draft: Draft;
  /** What each takes of the limits. */
  readonly charged: Float64Array;
  /** Uids, node by node. */
  readonly pods: readonly (readonly string[])[];
}

const noLimits = new Float64Array(0);

function loadOf(item: PlacementItem, count: number): Load {
  return { contents: [{ item, count }] };
}

/** Whether no reservation keeps the offer from the machine. */
function isOpenTo({ reservation }: Load, { offering }: TemplateOffer): boolean {
  return offering.reservation?.id === reservation;
}

function isOpen({ offering }: TemplateOffer, held: readonly string[]): boolean {
  return offering.reservation === undefined ? held.length === 0 : held.includes(offering.reservation.id);
}

/**
 * Beside the reservation that the node was packed for, it holds an instance of every other that it could use and
 * that nobody needs, so that the cloud has a choice.
 */
function holdReservations(
  reservations: Reservations,
  offers: readonly TemplateOffer[],
  id: string,
): readonly string[] {
  const held = new Set([id]);
  for (const { offering } of offers) {
    const other = offering.reservation?.id;
    if (other === undefined || held.has(other) || reservations.left(other) < 1) continue;
    reservations.take(other, 1);
    held.add(other);
  }
  return [...held];
}

/** The same contents on two machines, on the first as much as is possible there; nothing of a single unit. */
function partsOf({ contents, reservation }: Load, isPossible: (part: Load) => boolean): readonly Load[] {
  const units = contents.flatMap(({ item, count }) => Array.from({ length: count }, () => item));
  if (units.length < 2) return [];
  const partOf = (items: readonly PlacementItem[]): Load => {
    const counts = new Map<PlacementItem, number>();
    for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
    return { reservation, contents: [...counts].map(([item, count]) => ({ item, count })) };
  };
  let most = 1;
  for (let above = units.length; above - most > 1; ) {
    const middle = (most + above) >>> 1;
    if (isPossible(partOf(units.slice(0, middle)))) most = middle;
    else above = middle;
  }
  return [partOf(units.slice(0, most)), partOf(units.slice(most))];
}

function maskOf({ contents }: Load): Uint32Array {
  return contents.map(({ item }) => item.mask).reduce(intersectionOf);
}

function unitsOf({ contents }: Load): number {
  return contents.reduce((sum, { count }) => sum + count, 0);
}

function podsLeft({ members }: PlacementItem): number {
  return members.reduce((sum, { pods }) => sum + pods.length, 0);
}

/** Whether units of the item may have to keep away from each other. */
export function isKeptApart({ members }: PlacementItem): boolean {
  return members.some(
    ({ podClass, hostGroups }) =>
      podClass.hostPorts.length + hostGroups.required.length + hostGroups.wished.length > 0,
  );
}

function takePods({ item, count }: Content): string[] {
  return item.members.flatMap(({ pods }) => pods.splice(0, item.isSharedHost ? pods.length : count));
}

/** The cloud may launch any type of the list, so none may take more of the limits than the one that was counted. */
function isNoLarger(footprint: Float64Array, counted: Float64Array): boolean {
  return footprint.every((amount, axis) => amount <= (counted[axis] ?? 0));
}

function largestOf(offers: readonly TemplateOffer[]): Float64Array {
  const largest = new Float64Array(offers[0]?.of.footprint.length ?? 0);
  for (const { of } of offers) {
    for (const [axis, amount] of of.footprint.entries()) largest[axis] = Math.max(largest[axis] ?? 0, amount);
  }
  return largest;
}

function sizeOf({ contents }: Load): Float64Array {
  const total = new Float64Array(contents[0]?.item.size.length ?? 0);
  for (const { item, count } of contents) addTo(total, item.size, count);
  return total;
}
