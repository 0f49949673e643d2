import type {
  DescribePlacementGroupsCommandInput,
  PlacementGroup as Ec2PlacementGroup,
} from '@aws-sdk/client-ec2';
import type { Log } from '@karpenter/core/ports';
import type { Clock } from '@karpenter/kube/runtime';
import { ChangeMonitor, ExpiringMap } from '../caching/index.ts';
import type { PlacementGroup } from '../instance-types/index.ts';
import { cacheLifetimes, ec2NodeClassReasons } from '../names/index.ts';
import type { PlacementGroupSelector } from '../node-class/index.ts';
import { type Ec2, isAwsError } from '../ports/index.ts';
import type { ResolutionFailure } from '../resolution/index.ts';

/**
 * Result of a selector. With a `cause`, `group` may be the
 * one found earlier, so that launches continue while EC2 fails.
 */
export interface PlacementGroupOutcome {
  readonly group?: PlacementGroup | undefined;
  readonly failure?: ResolutionFailure | undefined;
  /** Error of the EC2 call. */
  readonly cause?: unknown;
}

const strategies = ['cluster', 'partition', 'spread'] as const;
const missingCodes = new Set(['InvalidPlacementGroup.Unknown', 'InvalidPlacementGroupId.Unknown']);

type GroupQueries = Pick<Ec2, 'describePlacementGroups'>;

export interface PlacementGroupOptions {
  readonly ec2: GroupQueries;
  readonly clock: Clock;
  readonly log?: Log;
}

/** Resolves the placement group that an EC2NodeClass selects. */
export class PlacementGroupProvider {
  readonly #ec2: GroupQueries;
  readonly #log: Log | undefined;
  readonly #seen = new ChangeMonitor();
  /** Cached results, including that no group exists. */
  readonly #cached: ExpiringMap<string, { readonly group?: PlacementGroup | undefined }>;
  readonly #lastSeen: ExpiringMap<string, PlacementGroup>;

  constructor({ ec2, clock, log }: PlacementGroupOptions) {
    this.#ec2 = ec2;
    this.#log = log;
    this.#cached = new ExpiringMap({ clock, lifetime: cacheLifetimes.default });
    this.#lastSeen = new ExpiringMap({ clock, lifetime: cacheLifetimes.placementGroupFallback });
  }

  /** Never rejects: a failed EC2 call is part of the outcome. */
  async resolve(selector: PlacementGroupSelector): Promise<PlacementGroupOutcome> {
    const key = selector.id === undefined ? `name ${selector.name}` : `id ${selector.id}`;
    const name = selector.id ?? selector.name ?? '';
    const known = this.#cached.get(key);
    if (known !== undefined) return outcome(known.group, name);
    try {
      const group = await this.#find(selector);
      this.#cached.set(key, { group });
      // Gone, not unreachable: Karpenter would use its old entry again for up to a day (ADR 0022).
      if (group === undefined) this.#lastSeen.delete(key);
      else this.#lastSeen.set(key, group);
      if (group !== undefined && this.#seen.isNews(key, group)) {
        this.#log?.debug('discovered placement group', { id: group.id, strategy: group.strategy });
      }
      return outcome(group, name);
    } catch (cause) {
      const failure = ec2NodeClassReasons.placementGroupResolutionFailed;
      return { group: this.#lastSeen.get(key), failure, cause };
    }
  }

  async #find(selector: PlacementGroupSelector): Promise<PlacementGroup | undefined> {
    try {
      const { PlacementGroups: found = [] } = await this.#ec2.describePlacementGroups(queryOf(selector));
      return found.map(groupOf).find((group) => group !== undefined);
    } catch (error) {
      if (isAwsError(error) && missingCodes.has(error.code)) return undefined;
      throw error;
    }
  }
}

function outcome(group: PlacementGroup | undefined, name: string): PlacementGroupOutcome {
  return group === undefined ? { failure: ec2NodeClassReasons.placementGroupNotFound(name) } : { group };
}

function queryOf({ id, name = '' }: PlacementGroupSelector): DescribePlacementGroupsCommandInput {
  const Filters = [{ Name: 'state', Values: ['available'] }];
  return id === undefined ? { GroupNames: [name], Filters } : { GroupIds: [id], Filters };
}

function groupOf({ GroupId, Strategy, PartitionCount }: Ec2PlacementGroup): PlacementGroup | undefined {
  const strategy = strategies.find((known) => known === Strategy);
  if (GroupId === undefined || strategy === undefined) return undefined;
  return { id: GroupId, strategy, partitionCount: PartitionCount };
}
