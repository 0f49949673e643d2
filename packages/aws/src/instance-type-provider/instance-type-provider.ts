import { CodedError } from '@karpenter/core/errors';
import type { Gauges, InstanceType, Log } from '@karpenter/core/ports';
import type { Instant } from '@karpenter/kube/runtime';
import type { DiscoveredMemory, PlacementGroup, SizeSettings } from '../instance-types/index.ts';
import {
  type ClassFacts,
  classFactsOf,
  type DescribedType,
  discoverTypes,
  discoverZones,
  type InstanceShape,
  instanceShape,
  memoryMiBOf,
  nameOf,
  type ReadClass,
  RequirementPool,
  type TypeQueries,
  vCpusOf,
} from '../instance-types/index.ts';
import { awsMetrics, cacheLifetimes } from '../names/index.ts';
import type { MarketSources } from '../offerings/index.ts';
import { classTypes } from './class-type.ts';
import { ClassView } from './class-view.ts';
import { type Ec2Knowledge, ec2Knowledge, emptyKnowledge, isSameKnowledge } from './ec2-knowledge.ts';
import { OfferingCache } from './offering-cache.ts';
import { RevalidatingMap } from './revalidating-map.ts';

export interface InstanceTypeOptions {
  readonly ec2: TypeQueries;
  readonly region: string;
  readonly settings: SizeSettings;
  readonly sources: MarketSources;
  readonly memory: DiscoveredMemory;
  readonly now: () => Instant;
  readonly log?: Log;
  readonly gauges?: Gauges;
}

interface CachedShape {
  readonly shape: InstanceShape;
  /** The discovered memory that it was computed with. */
  readonly memory: string | undefined;
}

/** Lists the instance types of an EC2NodeClass with capacity, overhead, labels and offerings. */
export class InstanceTypeProvider {
  readonly #options: InstanceTypeOptions;
  readonly #views: RevalidatingMap<ClassView>;
  readonly #offerings: RevalidatingMap<OfferingCache>;
  readonly #shapes: RevalidatingMap<Map<string, CachedShape>>;
  #facts = new WeakMap<ReadClass, ClassFacts>();
  #pool = new RequirementPool();
  #knowledge: Ec2Knowledge = emptyKnowledge;

  constructor(options: InstanceTypeOptions) {
    this.#options = options;
    const caching = { lifetime: cacheLifetimes.instanceTypesAndOfferings, now: options.now };
    this.#views = new RevalidatingMap({ ...caching, stamp: () => options.memory.version });
    // These two have no stamp: their values compare each type with its own inputs. A node that reports its memory must
    // not replace the objects of all other types, by which planners cache and which saved decisions refer to.
    this.#offerings = new RevalidatingMap(caching);
    this.#shapes = new RevalidatingMap(caching);
  }

  /** Discovers types and their zones. Rejects if EC2 fails, and then keeps the previous result. */
  async refresh(): Promise<void> {
    const { ec2 } = this.#options;
    const [types, zones] = await Promise.all([discoverTypes(ec2), discoverZones(ec2)]);
    const found = ec2Knowledge(types, zones);
    // Planners cache by the identity of types, so an unchanged answer must not replace the objects.
    if (isSameKnowledge(found, this.#knowledge)) return;
    this.#knowledge = found;
    this.#clearCaches();
    this.#report(found);
  }

  /**
   * Lists the types of a class, unavailable offerings included. Returns the
   * same list of the same objects while nothing changes. Throws a CodedError
   * `no-instance-types` if types, offerings or subnets are missing.
   */
  list(nodeClass: ReadClass, group?: PlacementGroup): readonly InstanceType[] {
    const { types, zones } = this.#knowledge;
    if (types.length === 0) throw noTypes('no instance types found');
    if (zones.length === 0) throw noTypes('no instance types offerings found');
    const facts = this.#factsOf(nodeClass, group);
    if (facts.zones.length === 0) throw noTypes('no subnets found');
    return this.#views.get(facts.viewKey, (stale) => this.#view(facts, stale)).list();
  }

  /** Returns the EC2 records of all types of the region: the same list while nothing changes. */
  get allDescribed(): readonly DescribedType[] {
    return this.#knowledge.types;
  }

  /** Returns the EC2 record of a type, for callers that need more than its labels. */
  described(instanceType: string): DescribedType | undefined {
    return this.#knowledge.byName.get(instanceType);
  }

  #factsOf(nodeClass: ReadClass, group: PlacementGroup | undefined): ClassFacts {
    const known = this.#facts.get(nodeClass);
    if (known !== undefined && known.group === group) return known;
    const facts = classFactsOf(nodeClass, group);
    this.#facts.set(nodeClass, facts);
    return facts;
  }

  #view(facts: ClassFacts, stale: ClassView | undefined): ClassView {
    const { region, settings, sources } = this.#options;
    const shapes = this.#shapes.get(facts.shapeKey, () => new Map());
    const types = classTypes(this.#knowledge, facts, {
      region,
      settings,
      pool: this.#pool,
      shapeOf: (type) => this.#shapeOf(type, facts, shapes),
      stale: stale?.types,
    });
    const offerings = this.#offerings.get(
      facts.offeringKey,
      () => new OfferingCache(facts, sources, this.#pool),
    );
    return new ClassView({ types, offerings, sources }, stale);
  }

  #shapeOf(type: DescribedType, facts: ClassFacts, shapes: Map<string, CachedShape>): InstanceShape {
    const name = nameOf(type);
    const memory = this.#options.memory.get(name, facts.imagesHash);
    const known = shapes.get(name);
    if (known !== undefined && known.memory === memory) return known.shape;
    const shape = instanceShape(type, facts.node, this.#options.settings, memory);
    shapes.set(name, { shape, memory });
    return shape;
  }

  #clearCaches(): void {
    this.#views.clear();
    this.#offerings.clear();
    this.#shapes.clear();
    // The pool drops nothing by itself, so it starts over with the types.
    this.#pool = new RequirementPool();
  }

  #report({ types, zonesOfType, zones }: Ec2Knowledge): void {
    const { log, gauges } = this.#options;
    log?.debug('discovered instance types', { count: types.length });
    log?.debug('discovered offerings for instance types', { 'instance-type-count': zonesOfType.size });
    log?.debug('discovered zones', { zones: zones.join(', ') });
    for (const type of types) {
      const labels = { instance_type: nameOf(type) };
      gauges?.set(awsMetrics.instanceTypeCpuCores, labels, vCpusOf(type));
      gauges?.set(awsMetrics.instanceTypeMemoryBytes, labels, memoryMiBOf(type) * 2 ** 20);
    }
  }
}

function noTypes(message: string): CodedError {
  return new CodedError('no-instance-types', message);
}
