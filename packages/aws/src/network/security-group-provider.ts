import type { Filter, SecurityGroup } from '@aws-sdk/client-ec2';
import type { Log } from '@karpenter/core/ports';
import type { Clock } from '@karpenter/kube/runtime';
import { allPages, ChangeMonitor, ExpiringMap, pageAfter } from '../caching/index.ts';
import { cacheLifetimes, ec2NodeClassReasons } from '../names/index.ts';
import type { EC2NodeClass, SecurityGroupSelectorTerm, SecurityGroupStatus } from '../node-class/index.ts';
import type { Ec2 } from '../ports/index.ts';
import { foundOr, generationKey, type Resolution, tagFilters, valueFilter } from '../resolution/index.ts';

type SecurityGroupQueries = Pick<Ec2, 'describeSecurityGroups'>;

export interface SecurityGroupOptions {
  readonly ec2: SecurityGroupQueries;
  readonly clock: Clock;
  readonly log?: Log;
}

/** Resolves the security groups that an EC2NodeClass selects. */
export class SecurityGroupProvider {
  readonly #ec2: SecurityGroupQueries;
  readonly #log: Log | undefined;
  readonly #seen = new ChangeMonitor();
  readonly #found: ExpiringMap<string, readonly SecurityGroupStatus[]>;

  constructor({ ec2, clock, log }: SecurityGroupOptions) {
    this.#ec2 = ec2;
    this.#log = log;
    this.#found = new ExpiringMap({ clock, lifetime: cacheLifetimes.default });
  }

  /**
   * Returns the groups for `status.securityGroups`, sorted
   * by id, or why there are none. Rejects if EC2 fails.
   */
  async resolve(nodeClass: EC2NodeClass): Promise<Resolution<readonly SecurityGroupStatus[]>> {
    const key = generationKey(nodeClass);
    const found = this.#found.get(key) ?? (await this.#fetch(nodeClass.spec.securityGroupSelectorTerms));
    if (!this.#found.has(key)) this.#found.set(key, found);
    const { name } = nodeClass.metadata;
    if (this.#seen.isNews(name, found)) {
      const ids = found.map(({ id }) => id);
      this.#log?.debug('discovered security groups', { EC2NodeClass: { name }, 'security-groups': ids });
    }
    return foundOr(found, ec2NodeClassReasons.securityGroupsNotFound);
  }

  async #fetch(terms: readonly SecurityGroupSelectorTerm[]): Promise<readonly SecurityGroupStatus[]> {
    const pages = await Promise.all(securityGroupFilters(terms).map((filters) => this.#describe(filters)));
    const byId = new Map(pages.flat().map((group) => [group.GroupId ?? '', group]));
    return [...byId]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { GroupName: name }]) => ({ id, ...(name !== undefined && { name }) }));
  }

  #describe(filters: Filter[]): Promise<readonly SecurityGroup[]> {
    return allPages(
      (token) => this.#ec2.describeSecurityGroups({ Filters: filters, MaxResults: 500, ...pageAfter(token) }),
      ({ SecurityGroups }) => SecurityGroups,
    );
  }
}

/** Builds the requests for the terms. In a term with several fields the id wins, then the name. */
export function securityGroupFilters(terms: readonly SecurityGroupSelectorTerm[]): readonly Filter[][] {
  const ids = terms.flatMap(({ id }) => id ?? []);
  const names = terms.flatMap(({ id, name }) => (id === undefined ? (name ?? []) : []));
  const tagged = terms
    .filter(({ id, name }) => id === undefined && name === undefined)
    .map(({ tags = {} }) => tagFilters(tags));
  return [
    ...valueFilter('group-id', ids),
    ...valueFilter('group-name', names),
    ...tagged.filter((filters) => filters.length > 0),
  ];
}
