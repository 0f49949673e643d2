import { labelKeys } from '../../api/index.ts';
import { Requirement, Requirements } from '../../requirements/index.ts';
import { hostPortsClash, untolerated } from '../../values/index.ts';
import { addTo } from '../context/resource-axes.ts';
import { type ClaimedDevices, type HostGrant, isRefused, type NewHost } from '../devices/index.ts';
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
  type ClassPlacement,
  type CountedPods,
  constrainsOthers,
  type PlacementState,
  type PlacementStep,
  recordPlacement,
} from './class-placement.ts';
import type { NewNodeChoice } from './new-node.ts';
import type { ItemMember, PlacementItem } from './placement-item.ts';

/** A planned node that certain pods must share: it grows pod by pod and is packed as one unit. */
interface SharedHost {
  readonly hostname: string;
  readonly masks: OfferMasks;
  readonly placements: Map<ClassPlacement, ItemMember>;
  item: PlacementItem;
}

/** A host with one more pod, not applied yet: devices are allocated when the pod joins. */
interface GrownHost {
  readonly item: PlacementItem;
  readonly grant?: HostGrant;
}

/** Placed pods that others may have to join. */
interface Companions {
  readonly items: readonly PlacementItem[];
  readonly placements: readonly ClassPlacement[];
  /** Whether the quota of the pool allows one more pod of the class. */
  readonly isOpen: (template: NodeTemplate) => boolean;
}

/** Planned nodes for pods with affinity by hostname or with resource claims, which are placed one by one. */
export class SharedHosts {
  readonly #state: PlacementState;
  readonly #hosts: SharedHost[] = [];

  constructor(state: PlacementState) {
    this.#state = state;
  }

  get items(): readonly PlacementItem[] {
    return this.#hosts.map(({ item }) => item);
  }

  /** Whether pods at this step have affinity by hostname. */
  static concerns({ groups }: PlacementStep): boolean {
    return groups.some(needsHost);
  }

  /**
   * Places the next pod on a host with the pods it must join, and returns the pool of that host. If those are
   * not on a shared host yet, one of them becomes the first pod of a new one.
   */
  join(
    placement: ClassPlacement,
    step: PlacementStep,
    { items, placements, isOpen }: Companions,
  ): NodeTemplate | undefined {
    const joined = this.#hosts.find((host) => isOpen(host.item.template) && this.#add(host, placement, step));
    if (joined !== undefined) return joined.item.template;
    const affinities = step.groups.filter(needsHost);
    if (affinities.length === 0) return undefined;
    const hasCompanions = ({ members }: PlacementItem) =>
      affinities.every((group) => members.some(({ podClass }) => group.selects(podClass)));
    for (const item of items) {
      if (item.count === 0 || !isOpen(item.template) || !hasCompanions(item)) continue;
      const companion = placements.find(({ podClass }) => podClass === item.members[0]?.podClass);
      if (companion !== undefined && this.#joinNew(item, companion, { placement, step }))
        return item.template;
      // The counts by hostname do not show these pods. Without the flag this pod would pass as the first of
      // its group.
      for (const group of affinities) group.hasPodsOnUnnamedHosts = true;
    }
    return undefined;
  }

  /**
   * The choice of a new host, narrowed to offers and domains that have the devices for the claims of the pod.
   */
  withDevices(
    devices: ClaimedDevices,
    size: Float64Array,
    choice: NewNodeChoice,
  ): NewNodeChoice | PoolRejection {
    const { template, requirements, mask } = choice;
    const masks = this.#masksOf(template);
    const maskUnder = (narrowed: Requirements) => intersectionOf(mask, masks.allowedBy(narrowed));
    const grant = devices.onHost({
      location: this.#nextName,
      template,
      requirements,
      wellKnown: this.#state.context.wellKnown,
      devices: undefined,
      offersUnder: (required) =>
        this.#offersWithMinValues(required, offersHolding(template, maskUnder(required), size)),
    });
    if (isRefused(grant)) return grant;
    const narrowed = masks.allowed(grant.requirements).requirements;
    return { ...choice, requirements: narrowed, mask: maskUnder(narrowed), grant };
  }

  /** No offers if they do not satisfy strict `minValues`. */
  #offersWithMinValues(
    requirements: Requirements,
    offers: readonly TemplateOffer[],
  ): readonly TemplateOffer[] {
    const isStrict = this.#state.context.options.minValuesPolicy === 'Strict';
    return isStrict && minValuesShortfalls(requirements, offers).length > 0 ? [] : offers;
  }

  /** Starts a new host with the next pod. */
  begin(placement: ClassPlacement, step: PlacementStep, item: PlacementItem): void {
    const host = this.#newHost({ ...item, isSharedHost: true, count: 1 });
    this.#record(host, placement, { domains: host.item.requirements, pods: 1 });
    this.#take(host, placement, step);
  }

  /**
   * Turns one unit of an item into a host if the pod can join it; otherwise the unit goes back to the item.
   */
  #joinNew(
    item: PlacementItem,
    companion: ClassPlacement,
    { placement, step }: { readonly placement: ClassPlacement; readonly step: PlacementStep },
  ): boolean {
    const [member] = item.members;
    const uid = member?.pods.pop();
    if (member === undefined || uid === undefined) return false;
    const only = { ...member, pods: [uid] };
    const host = this.#newHost({ ...item, members: [only], isSharedHost: true, count: 1 });
    host.placements.set(companion, only);
    // Only by hostname: the companion was counted in its other domains when it was placed on the item.
    const domains = Requirements.of([this.#hostRequirement(host)]);
    this.#record(host, companion, { domains, pods: 1 });
    if (this.#add(host, placement, step)) {
      item.count--;
      return true;
    }
    // The hostname stays registered without pods; the next host gets the same name.
    this.#record(host, companion, { domains, pods: -1 });
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
    this.#record(host, placement, { domains: grown.item.requirements, pods: 1 });
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

  /**
   * The host with one more pod, if all rules allow it and some offer still has room for all pods. As in Karpenter, the
   * policy BestEffort lowers `minValues` for a new node only, not for a pod that joins.
   */
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
    const maskUnder = (required: Requirements) =>
      intersectionOf(item.mask, masks.withoutPorts(masks.allowedBy(required), podClass.hostPorts));
    const total = item.size.slice();
    addTo(total, size);
    const offersUnder = (required: Requirements, mask = maskUnder(required)) => {
      const offers = offersHolding(template, mask, total);
      return minValuesShortfalls(required, offers).length > 0 ? [] : offers;
    };
    const mask = maskUnder(joint);
    if (offersUnder(joint, mask).length === 0) return undefined;
    const isCounted = item.isCounted || constrainsOthers(placement);
    const plain = { ...item, requirements: joint, mask, size: total, isCounted };
    const grown =
      devices === undefined
        ? { item: plain }
        : this.#claiming(devices, plain, { location: hostname, offersUnder });
    return grown === undefined || this.#losesReservations(item, grown.item) ? undefined : grown;
  }

  /** The host narrowed to offers and domains that have the devices for the joining pod. */
  #claiming(
    claimed: ClaimedDevices,
    item: PlacementItem,
    { location, offersUnder }: Pick<NewHost, 'location' | 'offersUnder'>,
  ): GrownHost | undefined {
    const { template, requirements, devices } = item;
    const { wellKnown } = this.#state.context;
    const grant = claimed.onHost({ location, template, requirements, wellKnown, devices, offersUnder });
    if (isRefused(grant)) return undefined;
    const mask = intersectionOf(item.mask, this.#masksOf(template).allowedBy(grant.requirements));
    return { item: { ...item, requirements: grant.requirements, mask, devices: grant.devices }, grant };
  }

  /** In strict mode, as in Karpenter, no pod joins a host that could then use no reservation any more. */
  #losesReservations(before: PlacementItem, after: PlacementItem): boolean {
    if (this.#state.context.options.reservedCapacity?.mode !== 'strict') return false;
    return this.#reservedRank(after) < this.#reservedRank(before);
  }

  /** 2 if a usable reservation has an instance left, 1 if all usable reservations are used up, 0 if none is usable. */
  #reservedRank(item: PlacementItem): number {
    const usable = usableReservations(item);
    const { reservations } = this.#state.scratch;
    if (usable.some((offer) => instancesLeft(reservations, offer) > 0)) return 2;
    return usable.length > 0 ? 1 : 0;
  }

  #record({ item }: SharedHost, placement: ClassPlacement, pods: CountedPods): void {
    recordPlacement(placement, pods, ({ filter }) => this.#state.counted.areCountedBy(filter, item));
  }
}

function needsHost({ kind, isHostname }: TopologyGroup): boolean {
  return isHostname && kind === 'pod affinity';
}
