import {
  explainIncompatible,
  incompatibilitiesText,
  type LabelKey,
  Requirement,
  Requirements,
  relaxMinValues,
} from '../../requirements/index.ts';
import { formatTaint, untolerated } from '../../values/index.ts';
import type { PlanContext } from '../context/plan-context.ts';
import { fitsInto } from '../context/resource-axes.ts';
import type { HostGrant } from '../devices/index.ts';
import { minValuesShortfalls, offersHolding } from '../instance-types/min-values.ts';
import type { NodeTemplate, TemplateType } from '../instance-types/node-template.ts';
import { holdsSize, type OfferMasks } from '../instance-types/offer-mask.ts';
import { placeholderHostname } from '../new-nodes/placeholder-hostname.ts';
import type { PoolRejection } from '../plan-result.ts';
import type { PodClass } from '../pods/pod-class.ts';
import { meetsVariant, type PodVariant } from '../pods/pod-variant.ts';
import { limitAdvice } from '../reasons/limit-advice.ts';
import { nearestMiss } from '../reasons/nearest-miss.ts';
import { typeFilterError } from '../reasons/type-filter-error.ts';
import { chooseFrom, domainsOf, type GroupDomains } from '../topology/domain-choice.ts';
import type { DomainRanking } from '../topology/domain-ranking.ts';
import { topologyErrorText } from '../topology/topology-error.ts';
import type { TopologyGroup } from '../topology/topology-group.ts';

/** A new node of a pool that can take the pod. */
export interface NewNodeChoice {
  readonly template: NodeTemplate;
  readonly request: NewNodeRequest;
  readonly requirements: Requirements;
  readonly mask: Uint32Array;
  /** Requirements that topology groups added. */
  readonly picks: readonly Requirement[];
  /** Devices for the claims of the pod; absent without claims. */
  readonly grant?: HostGrant;
}

export interface NewNodeRequest {
  readonly podClass: PodClass;
  readonly variant: PodVariant;
  readonly groups: readonly TopologyGroup[];
  /** One alternative for where the volumes of the pod are or may be. */
  readonly volumes: Requirements;
}

/** A node that is not narrowed to any domain yet. */
const open: readonly Requirement[] = [];

/** For narrowed nodes. Never reported, because a node that is not narrowed is evaluated next and gives the reason. */
const otherDomains: PoolRejection = {
  failed: ['topology'],
  message: 'the node has settled on other domains',
};

/** Results for nodes that are narrowed ("settled") to the same domains. */
interface SettledResults {
  /** Undefined if the pod cannot be on such a node. */
  readonly base: Requirements | undefined;
  readonly choices: Map<string, NewNodeChoice | PoolRejection>;
  /** By topology group of the pod; filled when first used. */
  readonly domains: Map<TopologyGroup, GroupDomains>;
}

/** One pool, and how it chooses between domains. */
interface NewNodeInputs {
  readonly context: PlanContext;
  readonly ranking: DomainRanking;
  readonly template: NodeTemplate;
  readonly masks: OfferMasks;
}

/**
 * Evaluates new nodes of one NodePool for one class of pods at one step of relaxation, and caches results that do not
 * change between pods.
 */
export class NewNodes {
  readonly #inputs: NewNodeInputs;
  readonly #context: PlanContext;
  readonly #template: NodeTemplate;
  readonly #masks: OfferMasks;
  readonly #request: NewNodeRequest;
  readonly #size: Float64Array;
  /** Why the NodePool can take no pod of the class, apart from topology; fixed during an attempt. */
  readonly #fixedRejection: PoolRejection | undefined;
  readonly #base: Requirements;
  /** By identity of the domains: `SettledDomains` returns the same array for the same combination. */
  readonly #settledResults = new Map<readonly Requirement[], SettledResults>();
  #domainPrices: Map<number, Map<string, number>> | undefined;

  /** By the domains a node is narrowed to; shared with pods that differ only in their requests. */
  readonly #bases: Map<readonly Requirement[], Requirements | undefined>;

  constructor(inputs: NewNodeInputs, request: NewNodeRequest, like?: NewNodes) {
    const { context, template, masks } = inputs;
    this.#inputs = inputs;
    this.#context = context;
    this.#template = template;
    this.#masks = masks;
    this.#request = request;
    this.#size = context.pods.sizes[request.podClass.index] ?? new Float64Array();
    this.#bases = like === undefined ? new Map() : like.#bases;
    this.#fixedRejection =
      like === undefined ? fixedRejection(context, template, request) : like.#fixedRejection;
    this.#base = like === undefined ? baseOf(template, request, this.#fixedRejection) : like.#base;
  }

  /** The same for a class with the same rules and other requests. */
  for(podClass: PodClass): NewNodes {
    return new NewNodes(this.#inputs, { ...this.#request, podClass }, this);
  }

  get template(): NodeTemplate {
    return this.#template;
  }

  /** A new node for the next pod, or a node that is narrowed to certain domains already; or why there is none. */
  evaluate(settled: readonly Requirement[] = open): NewNodeChoice | PoolRejection {
    if (this.#fixedRejection !== undefined) return this.#fixedRejection;
    const results = this.#resultsFor(settled);
    const { base, choices } = results;
    if (base === undefined) return otherDomains;
    const picks: Requirement[] = [];
    let key = '';
    for (const group of this.#request.groups) {
      if (group.isHostname) {
        if (this.#isAloneOnNewHost(group)) continue;
        return this.#topologyRejection(group);
      }
      const pick = chooseFrom(group, results.domains.get(group) ?? this.#domainsOf(group, base, results));
      if (pick === undefined) return settled === open ? this.#topologyRejection(group) : otherDomains;
      picks.push(pick);
      key += keyPart(pick);
    }
    // Counts change with every pod, so topology is evaluated each time. All else follows from the chosen
    // domains.
    const known = choices.get(key);
    if (known !== undefined) return known;
    const made = this.#choose([...settled, ...picks]);
    choices.set(key, made);
    return made;
  }

  /** A node with the domains that topology chose for the pod in another pool. */
  evaluateWith(picks: readonly Requirement[]): NewNodeChoice | PoolRejection {
    return this.#fixedRejection ?? this.#choose(picks);
  }

  #resultsFor(settled: readonly Requirement[]): SettledResults {
    const known = this.#settledResults.get(settled);
    if (known !== undefined) return known;
    if (!this.#bases.has(settled)) this.#bases.set(settled, this.#settledBase(settled));
    const made = { base: this.#bases.get(settled), choices: new Map(), domains: new Map() };
    this.#settledResults.set(settled, made);
    return made;
  }

  /** A new node has no pods yet, which satisfies all groups but affinity to pods that are placed already. */
  #isAloneOnNewHost(group: TopologyGroup): boolean {
    if (group.kind !== 'pod affinity') return true;
    // As in Karpenter, only the first pod of a group that selects itself opens a host; later ones join it or
    // fail.
    if (group.hasPodsOnUnnamedHosts || !group.selects(this.#request.podClass)) return false;
    return [...group.counts.values()].every((count) => count === 0);
  }

  #settledBase(settled: readonly Requirement[]): Requirements | undefined {
    if (settled.length === 0) return this.#base;
    const domains = Requirements.of(settled);
    return this.#base.compatible(domains, this.#context.wellKnown) ? this.#base.and(domains) : undefined;
  }

  #domainsOf(group: TopologyGroup, node: Requirements, { domains }: SettledResults): GroupDomains {
    const { podClass, variant } = this.#request;
    const preference = (domain: string) => this.#priceIn(group, domain);
    const made = domainsOf(group, { podClass, variant, node, preference });
    domains.set(group, made);
    return made;
  }

  #choose(picks: readonly Requirement[]): NewNodeChoice | PoolRejection {
    const joined = Requirements.of([...this.#base.entries, ...picks]);
    const { wellKnown } = this.#context;
    if (!this.#base.compatible(joined, wellKnown)) {
      const reasons = explainIncompatible(this.#base, joined, wellKnown);
      return this.#rejection(['topology'], incompatibilitiesText(reasons));
    }
    const { podClass } = this.#request;
    const { requirements, mask: allowed } = this.#masks.allowed(joined);
    const mask = this.#masks.withoutPorts(allowed, podClass.hostPorts);
    const varied = holdsSize(this.#template, mask, this.#size)
      ? this.#withMinValues(requirements, mask)
      : undefined;
    if (varied !== undefined)
      return { template: this.#template, request: this.#request, requirements: varied, mask, picks };
    const { requests, hostPorts } = podClass;
    const unmet = { template: this.#template, requirements, requests, size: this.#size, hostPorts };
    const { failed, message } = typeFilterError(unmet);
    const advice = nearestMiss(this.#context.axes, unmet);
    return { ...this.#rejection(failed, message), ...(advice === undefined ? {} : { advice }) };
  }

  /**
   * The requirements if the types with room for the pod satisfy `minValues`; with BestEffort, lowered to what
   * they have.
   */
  #withMinValues(requirements: Requirements, mask: Uint32Array): Requirements | undefined {
    if (requirements.entries.every(({ minValues }) => minValues === undefined)) return requirements;
    const shortfalls = minValuesShortfalls(requirements, offersHolding(this.#template, mask, this.#size));
    if (shortfalls.length === 0) return requirements;
    const mayRelax = this.#context.options.minValuesPolicy === 'BestEffort';
    return mayRelax ? relaxMinValues(requirements, shortfalls) : undefined;
  }

  #topologyRejection(group: TopologyGroup): PoolRejection {
    const { strict } = this.#request.variant;
    const { key, isHostname, counts } = group;
    const nodeDomains = isHostname
      ? Requirement.is(key, placeholderHostname(counts.size))
      : this.#base.get(key);
    const message = topologyErrorText(group, strict.get(key), nodeDomains);
    return this.#rejection(['topology'], message);
  }

  #rejection(failed: PoolRejection['failed'], message: string): PoolRejection {
    return { nodePool: this.#template.name, failed, message };
  }

  /** The number of a domain in the ranking of the attempt: mostly the lowest price of a node for the pod there. */
  #priceIn({ key }: TopologyGroup, domain: string): number {
    const prices = this.#domainPrices?.get(key.id) ?? this.#pricesBy(key);
    return prices.get(domain) ?? Number.POSITIVE_INFINITY;
  }

  #pricesBy(key: LabelKey): Map<string, number> {
    const prices = this.#offerPrices(key);
    const { ofRank } = this.#inputs.ranking;
    if (ofRank !== undefined) {
      // No two prices differ by more, so that the rank takes precedence.
      const highest = Math.max(...prices.values());
      [...prices.keys()].sort().forEach((domain, rank) => {
        prices.set(domain, (prices.get(domain) ?? 0) + ofRank(rank) * highest);
      });
    }
    this.#domainPrices ??= new Map();
    this.#domainPrices.set(key.id, prices);
    return prices;
  }

  /** If the ranking keeps the order of prices, the first fitting offer of a kind is the best of the kind. */
  #offerPrices(key: LabelKey): Map<string, number> {
    const prices = new Map<string, number>();
    const { ofOffer, keepsOrder } = this.#inputs.ranking;
    for (const offers of this.#template.kinds.allowed(this.#masks.allowedBy(this.#base))) {
      for (const offer of offers) {
        if (!fitsInto(this.#size, offer.room)) continue;
        const price = ofOffer(offer, this.#size);
        for (const domain of this.#masks.domainsOffered(offer, key))
          prices.set(domain, Math.min(prices.get(domain) ?? Number.POSITIVE_INFINITY, price));
        if (keepsOrder) break;
      }
    }
    return prices;
  }
}

/** The few domains there usually are fit into one word of bits, which is faster to write than their names. */
function keyPart({ key, bits }: Requirement): string {
  const values = bits.words === undefined ? `${bits.offset}.${bits.first}` : bits.members().join();
  return `${key.id}:${values};`;
}

export function isRejection(result: NewNodeChoice | PoolRejection): result is PoolRejection {
  return 'message' in result;
}

function baseOf(
  { requirements }: NodeTemplate,
  { variant, volumes }: NewNodeRequest,
  rejection: PoolRejection | undefined,
): Requirements {
  return rejection === undefined ? requirements.and(variant.requirements).and(volumes) : Requirements.none;
}

/** In Karpenter's order, because only the first failed check is reported. */
function fixedRejection(
  context: PlanContext,
  template: NodeTemplate,
  request: NewNodeRequest,
): PoolRejection | undefined {
  const { variant } = request;
  return (
    limitsRejection(template) ??
    taintsRejection(template, variant) ??
    requirementsRejection(context, template, variant) ??
    volumesRejection(context, template, request)
  );
}

function volumesRejection(
  { wellKnown }: PlanContext,
  { name, requirements }: NodeTemplate,
  { variant, volumes }: NewNodeRequest,
): PoolRejection | undefined {
  const base = requirements.and(variant.requirements);
  if (base.compatible(volumes, wellKnown)) return undefined;
  const reasons = incompatibilitiesText(explainIncompatible(base, volumes, wellKnown));
  return { nodePool: name, failed: ['volume'], message: `incompatible volume requirements, ${reasons}` };
}

function limitsRejection(template: NodeTemplate): PoolRejection | undefined {
  if (template.remaining === undefined) return undefined;
  // As in Karpenter, a negative number gives the other message: then no type is within the limits.
  if (template.remaining.get('nodes') === 0) {
    return limited(template, 'node limits have been exhausted for nodepool', []);
  }
  return template.offers.length === 0 ? exceedsLimits(template) : undefined;
}

/** The limits of the pool allow no further node. */
export function exceedsLimits(template: NodeTemplate): PoolRejection {
  return limited(template, 'all available instance types exceed limits for nodepool', template.types);
}

/** Other pods use all instances of the reservations that the NodePool could use for the pod. */
export function reservationsTaken({ name }: NodeTemplate): PoolRejection {
  return {
    nodePool: name,
    failed: ['reservations'],
    message: `compatible capacity reservations have no instances left (NodePool=${name})`,
    advice: `enlarge the capacity reservations of nodepool ${name}, or let it use other capacity types`,
  };
}

function limited(template: NodeTemplate, opening: string, excluded: readonly TemplateType[]): PoolRejection {
  const { name } = template;
  return {
    nodePool: name,
    failed: ['limits'],
    message: `${opening} (NodePool=${name})`,
    advice: limitAdvice(template, excluded),
  };
}

function taintsRejection(
  { name, taints }: NodeTemplate,
  { tolerations }: PodVariant,
): PoolRejection | undefined {
  const left = untolerated(taints, tolerations);
  if (left.length === 0) return undefined;
  const message = left.map((taint) => `did not tolerate taint (taint=${formatTaint(taint)})`).join('; ');
  const advice = `let the pod tolerate ${left.map(formatTaint).join(' and ')}`;
  return { nodePool: name, failed: ['taints'], message, advice };
}

function requirementsRejection(
  { wellKnown }: PlanContext,
  { name, requirements }: NodeTemplate,
  variant: PodVariant,
): PoolRejection | undefined {
  if (meetsVariant(requirements, variant, wellKnown)) return undefined;
  const incompatible = requirements.compatible(variant.requirements, wellKnown)
    ? variant.strict
    : variant.requirements;
  const known = variant.isContradictory ? variant.requirements : requirements;
  const reasons = explainIncompatible(
    known,
    variant.isContradictory ? variant.strict : incompatible,
    wellKnown,
  );
  const keys = reasons.map(({ key }) => key.name).join(' and ');
  return {
    nodePool: name,
    failed: ['requirements'],
    message: `incompatible requirements, ${incompatibilitiesText(reasons)}`,
    advice: `let nodepool ${name} allow what the pod asks of ${keys}, or the pod ask for something else`,
  };
}
