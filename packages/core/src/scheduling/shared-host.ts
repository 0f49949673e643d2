import { labelKeys } from '../api/index.ts';
import { Requirement, Requirements } from '../requirements/index.ts';
import { hostPortsClash, untolerated } from '../values/index.ts';
import {
  type ClassPlacement,
  type PlacementContext,
  type PlacementStep,
  recordPlacement,
} from './class-placement.ts';
import type { NodeTemplate } from './node-template.ts';
import { intersectionOf, type OfferMasks } from './offer-mask.ts';
import { placeholderHostname } from './placeholder-hostname.ts';
import type { ItemMember, PlacementItem } from './placement-item.ts';
import { meetsVariant } from './pod-variant.ts';
import { usableReservations } from './reservations.ts';
import { addTo } from './resource-axes.ts';
import { chooseDomains } from './topology/domain-choice.ts';
import { filterAccepts } from './topology/node-filter.ts';
import type { TopologyGroup } from './topology/topology-group.ts';
import { offersHolding, varietyShortfalls } from './variety.ts';

/** A new node on which certain pods must be together: it grows pod by pod, and is packed as one piece. */
interface SharedHost {
  readonly hostname: string;
  readonly masks: OfferMasks;
  readonly placements: Map<ClassPlacement, ItemMember>;
  item: PlacementItem;
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
  readonly #context: PlacementContext;
  readonly #hosts: SharedHost[] = [];

  constructor(context: PlacementContext) {
    this.#context = context;
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
    const hasCompanions = ({ members }: PlacementItem) =>
      wanted.every((group) => members.some(({ podClass }) => group.selects(podClass)));
    for (const item of items) {
      if (item.count === 0 || !isOpen(item.template) || !hasCompanions(item)) continue;
      const host = this.#hostFrom(item, placements);
      if (host !== undefined && this.#add(host, placement, step)) return item.template;
    }
    return undefined;
  }

  /** Begins a host with the first pod of its kind. */
  begin(placement: ClassPlacement, step: PlacementStep, item: PlacementItem): void {
    const host = this.#newHost({ ...item, isSharedHost: true, count: 1 });
    this.#record(host, placement, host.item.requirements);
    this.#take(host, placement, step);
  }

  #hostFrom(item: PlacementItem, placements: readonly ClassPlacement[]): SharedHost | undefined {
    const [member] = item.members;
    const placement = placements.find(({ podClass }) => podClass === member?.podClass);
    const uid = member?.pods.pop();
    if (member === undefined || placement === undefined || uid === undefined) return undefined;
    item.count--;
    const host = this.#newHost({
      ...item,
      members: [{ ...member, pods: [uid] }],
      isSharedHost: true,
      count: 1,
    });
    const [only] = host.item.members;
    if (only !== undefined) host.placements.set(placement, only);
    this.#record(host, placement, Requirements.of([this.#hostRequirement(host)]));
    return host;
  }

  #newHost(item: PlacementItem): SharedHost {
    const hostname = placeholderHostname(this.#hosts.length);
    const index = this.#context.world.templates.indexOf(item.template);
    const masks = this.#context.masks[index];
    if (masks === undefined) throw new RangeError('a shared host has no template');
    const host = { hostname, masks, placements: new Map(), item };
    this.#context.topology.registerHost(hostname);
    this.#hosts.push(host);
    host.item = { ...item, requirements: item.requirements.with(this.#hostRequirement(host)) };
    return host;
  }

  #hostRequirement({ hostname }: SharedHost): Requirement {
    return Requirement.is(this.#context.world.vocabulary.key(labelKeys.hostname), hostname);
  }

  #add(host: SharedHost, placement: ClassPlacement, step: PlacementStep): boolean {
    const grown = this.#grown(host, placement, step);
    if (grown === undefined) return false;
    host.item = grown;
    this.#record(host, placement, grown.requirements);
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

  /** The host with one more pod, if that is allowed and some machine still holds them all. */
  #grown(
    { item, masks }: SharedHost,
    { podClass, size, volumePlaces }: ClassPlacement,
    { variant, groups }: PlacementStep,
  ): PlacementItem | undefined {
    const { wellKnown } = this.#context.world;
    const { template } = item;
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
    const requirements = Requirements.of([...base.entries, ...picks.filter((pick) => pick !== undefined)]);
    if (!base.compatible(requirements, wellKnown)) return undefined;
    const mask = intersectionOf(
      item.mask,
      masks.withoutPorts(masks.allowedBy(requirements), podClass.hostPorts),
    );
    const total = item.size.slice();
    addTo(total, size);
    const offers = offersHolding(template, mask, total);
    if (offers.length === 0 || varietyShortfalls(requirements, offers).length > 0) return undefined;
    const grown = { ...item, requirements, mask, size: total };
    return this.#losesReservations(item, grown) ? undefined : grown;
  }

  /** Pods that wait for reservations do not join a host that would no longer fit on any. */
  #losesReservations(before: PlacementItem, after: PlacementItem): boolean {
    if (this.#context.world.options.reservedCapacity?.mode !== 'strict') return false;
    return usableReservations(before).length > 0 && usableReservations(after).length === 0;
  }

  #record({ item }: SharedHost, placement: ClassPlacement, domains: Requirements): void {
    recordPlacement(placement, domains, 1, ({ filter }) =>
      filterAccepts(filter, item.template.taints, item.requirements, this.#context.world.wellKnown),
    );
  }
}

function needsHost({ kind, isHostname }: TopologyGroup): boolean {
  return isHostname && kind === 'pod affinity';
}
