import { labelKeys } from '../../api/index.ts';
import { Requirement, Requirements } from '../../requirements/index.ts';
import { hostPortsClash, untolerated } from '../../values/index.ts';
import { addTo } from '../context/resource-axes.ts';
import { type ClaimedDevices, type HostGrant, isRefused } from '../devices/index.ts';
import { minValuesShortfalls, offersHolding } from '../instance-types/min-values.ts';
import type { NodeTemplate, TemplateOffer } from '../instance-types/node-template.ts';
import { intersectionOf, type OfferMasks } from '../instance-types/offer-mask.ts';
import { instancesLeft, usableReservations } from '../limits/reservations.ts';
import { placeholderHostname } from '../new-nodes/placeholder-hostname.ts';
import type { PoolRejection } from '../plan-result.ts';
import { meetsVariant } from '../pods/pod-variant.ts';
import { chooseDomains } from '../topology/domain-choice.ts';
import type { TopologyGroup } from '../topology/topology-group.ts';
import {
  bearsOnOthers,
  type ClassPlacement,
  type PlacementState,
  type PlacementStep,
  recordPlacement,
} from './class-placement.ts';
import type { FreshChoice } from './fresh-node.ts';
import type { ItemMember, PlacementItem } from './placement-item.ts';

/** A new node on which certain pods must be together: it grows pod by pod, and is packed as one piece. */
interface SharedHost {
  readonly hostname: string;
  readonly masks: OfferMasks;
  readonly placements: Map<ClassPlacement, ItemMember>;
  item: PlacementItem;
}

/** A host with one more pod, whose devices are not given yet. */
interface GrownHost {
  readonly item: PlacementItem;
  readonly grant?: HostGrant;
}

/** Where companions may be found. */
interface Companions {
  readonly items: readonly PlacementItem[];
  readonly placements: readonly ClassPlacement[];
  /** Whether the pool may take one more such pod. */
  readonly isOpen: (template: NodeTemplate) => boolean;
}

/** Hosts that pods with affinity by host name share. */
export class SharedHosts {
  readonly #state: PlacementState;
  readonly #hosts: SharedHost[] = [];

  constructor(state: PlacementState) {
    this.#state = state;
  }

  get items(): readonly PlacementItem[] {
    return this.#hosts.map(({ item }) => item);
  }

  /** Whether pods at this step must join others on a host. */
  static concerns({ groups }: PlacementStep): boolean {
    return groups.some(needsHost);
  }

  /**
   * Puts the next pod on a host where its companions are, making one of their nodes a shared host if need be; says
   * of which pool the host is.
   */
  join(
    placement: ClassPlacement,
    step: PlacementStep,
    { items, placements, isOpen }: Companions,
  ): NodeTemplate | undefined {
    const joined = this.#hosts.find((host) => isOpen(host.item.template) && this.#add(host, placement, step));
    if (joined !== undefined) return joined.item.template;
    const wanted = step.groups.filter(needsHost);
    if (wanted.length === 0) return undefined;
    const hasCompanions = ({ members }: PlacementItem) =>
      wanted.every((group) => members.some(({ podClass }) => group.selects(podClass)));
    for (const item of items) {
      if (item.count === 0 || !isOpen(item.template) || !hasCompanions(item)) continue;
      const companion = placements.find(({ podClass }) => podClass === item.members[0]?.podClass);
      if (companion !== undefined && this.#joinNew(item, companion, placement, step)) return item.template;
      for (const group of wanted) group.hasUnnamedHosts = true;
    }
    return undefined;
  }

  /** The choice of a new host, narrowed to where the pod has what it claims. */
  withDevices(devices: ClaimedDevices, size: Float64Array, choice: FreshChoice): FreshChoice | PoolRejection {
    const { template, requirements, mask } = choice;
    const masks = this.#masksOf(template);
    const maskUnder = (wanted: Requirements) => intersectionOf(mask, masks.allowedBy(wanted));
    const grant = devices.onHost({
      location: this.#nextName,
      template,
      requirements,
      wellKnown: this.#state.context.wellKnown,
      devices: undefined,
      offersUnder: (wanted) => this.#variedOffers(wanted, offersHolding(template, maskUnder(wanted), size)),
    });
    if (isRefused(grant)) return grant;
    const narrowed = masks.allowed(grant.requirements).requirements;
    return { ...choice, requirements: narrowed, mask: maskUnder(narrowed), grant };
  }

  /** None where they do not offer the variety that is asked for. */
  #variedOffers(requirements: Requirements, offers: readonly TemplateOffer[]): readonly TemplateOffer[] {
    const isStrict = this.#state.context.options.minValuesPolicy === 'Strict';
    return isStrict && minValuesShortfalls(requirements, offers).length > 0 ? [] : offers;
  }

  /** Begins a host with the first pod of its kind. */
  begin(placement: ClassPlacement, step: PlacementStep, item: PlacementItem): void {
    const host = this.#newHost({ ...item, isSharedHost: true, count: 1 });
    this.#record(host, placement, host.item.requirements);
    this.#take(host, placement, step);
  }

  /** Makes a host of one unit of an item if that lets the pod join it; otherwise the unit goes back. */
  #joinNew(
    item: PlacementItem,
    companion: ClassPlacement,
    placement: ClassPlacement,
    step: PlacementStep,
  ): boolean {
    const [member] = item.members;
    const uid = member?.pods.pop();
    if (member === undefined || uid === undefined) return false;
    const only = { ...member, pods: [uid] };
    const host = this.#newHost({ ...item, members: [only], isSharedHost: true, count: 1 });
    host.placements.set(companion, only);
    const domains = Requirements.of([this.#hostRequirement(host)]);
    this.#record(host, companion, domains);
    if (this.#add(host, placement, step)) {
      item.count--;
      return true;
    }
    this.#record(host, companion, domains, -1);
    this.#hosts.pop();
    member.pods.push(uid);
    return false;
  }

  #newHost(item: PlacementItem): SharedHost {
    const hostname = this.#nextName;
    const masks = this.#masksOf(item.template);
    const host = { hostname, masks, placements: new Map(), item };
    this.#state.topology.registerHost(hostname);
    this.#hosts.push(host);
    host.item = { ...item, requirements: item.requirements.with(this.#hostRequirement(host)) };
    return host;
  }

  get #nextName(): string {
    return placeholderHostname(this.#hosts.length);
  }

  #masksOf(template: NodeTemplate): OfferMasks {
    const masks = this.#state.masks[this.#state.context.pools.templates.indexOf(template)];
    if (masks === undefined) throw new RangeError('a shared host has no template');
    return masks;
  }

  #hostRequirement({ hostname }: SharedHost): Requirement {
    return Requirement.is(this.#state.context.vocabulary.key(labelKeys.hostname), hostname);
  }

  #add(host: SharedHost, placement: ClassPlacement, step: PlacementStep): boolean {
    const grown = this.#grown(host, placement, step);
    if (grown === undefined) return false;
    host.item = grown.item;
    if (grown.grant !== undefined) placement.devices?.give(grown.grant.grant);
    this.#record(host, placement, grown.item.requirements);
    this.#take(host, placement, step);
    return true;
  }

  #take(host: SharedHost, placement: ClassPlacement, step: PlacementStep): void {
    const uid = placement.waiting.pop();
    if (uid === undefined) return;
    const known = host.placements.get(placement);
    if (known !== undefined) {
      known.pods.push(uid);
      return;
    }
    const member = {
      podClass: placement.podClass,
      step: step.index,
      hostGroups: step.hostGroups,
      pods: [uid],
    };
    host.placements.set(placement, member);
    host.item.members.push(member);
  }

  /** The host with one more pod, if that is allowed and some node still holds them all. */
  #grown(
    { item, masks, hostname }: SharedHost,
    placement: ClassPlacement,
    { variant, groups }: PlacementStep,
  ): GrownHost | undefined {
    const { podClass, size, volumePlaces, devices } = placement;
    const { wellKnown } = this.#state.context;
    const { template } = item;
    if (item.devices !== undefined && devices?.mayJoin(item.devices) === false) return undefined;
    if (untolerated(template.taints, variant.tolerations).length > 0) return undefined;
    if (!meetsVariant(item.requirements, variant, wellKnown)) return undefined;
    if (item.members.some((member) => hostPortsClash(member.podClass.hostPorts, podClass.hostPorts)))
      return undefined;
    const joined = item.requirements.and(variant.requirements);
    const place = volumePlaces.find((volumes) => joined.compatible(volumes, wellKnown));
    if (place === undefined) return undefined;
    const base = joined.and(place);
    const picks = groups.map((group) => chooseDomains(group, { podClass, variant, node: base }));
    if (picks.some((pick) => pick === undefined)) return undefined;
    const joint = Requirements.of([...base.entries, ...picks.filter((pick) => pick !== undefined)]);
    if (!base.compatible(joint, wellKnown)) return undefined;
    const maskUnder = (wanted: Requirements) =>
      intersectionOf(item.mask, masks.withoutPorts(masks.allowedBy(wanted), podClass.hostPorts));
    const total = item.size.slice();
    addTo(total, size);
    const offersUnder = (wanted: Requirements, mask = maskUnder(wanted)) => {
      const offers = offersHolding(template, mask, total);
      return minValuesShortfalls(wanted, offers).length > 0 ? [] : offers;
    };
    const mask = maskUnder(joint);
    if (offersUnder(joint, mask).length === 0) return undefined;
    const isCounted = item.isCounted || bearsOnOthers(placement);
    const plain = { ...item, requirements: joint, mask, size: total, isCounted };
    const grown =
      devices === undefined ? { item: plain } : this.#claiming(devices, plain, hostname, offersUnder);
    return grown === undefined || this.#losesReservations(item, grown.item) ? undefined : grown;
  }

  /** The host narrowed to where the pod that is to join it has what it claims. */
  #claiming(
    claimed: ClaimedDevices,
    item: PlacementItem,
    location: string,
    offersUnder: (wanted: Requirements) => readonly TemplateOffer[],
  ): GrownHost | undefined {
    const { template, requirements, devices } = item;
    const { wellKnown } = this.#state.context;
    const grant = claimed.onHost({ location, template, requirements, wellKnown, devices, offersUnder });
    if (isRefused(grant)) return undefined;
    const mask = intersectionOf(item.mask, this.#masksOf(template).allowedBy(grant.requirements));
    return { item: { ...item, requirements: grant.requirements, mask, devices: grant.devices }, grant };
  }

  /** Pods that wait for reservations do not join a host that would no longer fit on any, or on none that is left. */
  #losesReservations(before: PlacementItem, after: PlacementItem): boolean {
    if (this.#state.context.options.reservedCapacity?.mode !== 'strict') return false;
    return this.#reservedChance(after) < this.#reservedChance(before);
  }

  #reservedChance(item: PlacementItem): number {
    const usable = usableReservations(item);
    const { reservations } = this.#state.scratch;
    if (usable.some((offer) => instancesLeft(reservations, offer) > 0)) return 2;
    return usable.length > 0 ? 1 : 0;
  }

  #record({ item }: SharedHost, placement: ClassPlacement, domains: Requirements, pods = 1): void {
    recordPlacement(placement, domains, pods, ({ filter }) => this.#state.counted.areSeenBy(filter, item));
  }
}

function needsHost({ kind, isHostname }: TopologyGroup): boolean {
  return isHostname && kind === 'pod affinity';
}
