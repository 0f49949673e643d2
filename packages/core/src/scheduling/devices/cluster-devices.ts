import { labelKeys } from '../../api/index.ts';
import type { DeviceTemplate, InstanceType } from '../../ports/index.ts';
import type { LabelKey, Requirements, Vocabulary } from '../../requirements/index.ts';
import type { PodResourceClaimStatusLike } from '../../values/index.ts';
import type { PodResourceClaim } from '../pod-spec.ts';
import type { PodView } from '../snapshot.ts';
import { type ClaimRequests, claimRequests } from './claim-requests.ts';
import { type DeviceInventory, templateInventory } from './device-inventory.ts';
import { DeviceSelectors, type ReadSelector } from './device-selector.ts';
import { PublishedDevices } from './published-devices.ts';
import type { DeviceClassView, DevicesView, ResourceClaimView } from './resource-shapes.ts';

/** Port: what allocation needs that is not in a snapshot. */
export interface DeviceAllocationPort {
  readonly readSelector: ReadSelector;
  /**
   * Starts the time for the devices of one pod; the result says whether it is over. Karpenter allows 5
   * seconds.
   */
  readonly startDeadline: () => () => boolean;
}

/** The resource claims of a pod. */
export interface PodClaims {
  readonly claims: readonly ClaimRequests[];
  /** Why they cannot be allocated on any node. */
  readonly flaw: string | undefined;
}

/** The devices that nodes of an instance type will publish. */
export interface ExpectedDevices {
  /** JSON of the device templates, equal for types whose nodes publish the same. */
  readonly text: string;
  readonly inventory: DeviceInventory;
}

interface DeviceInputs {
  readonly port: DeviceAllocationPort;
  readonly vocabulary: Vocabulary;
  /** By name of the NodePool. */
  readonly instanceTypes: ReadonlyMap<string, readonly InstanceType[]>;
}

const noTemplates: readonly DeviceTemplate[] = [];

/** The devices, claims and device classes of a cluster; a plan does not change them. */
export class ClusterDevices {
  readonly published: PublishedDevices;
  readonly selectors: DeviceSelectors;
  readonly port: DeviceAllocationPort;
  readonly vocabulary: Vocabulary;
  readonly instanceTypeKey: LabelKey;
  readonly #nodePoolKey: LabelKey;
  readonly #instanceTypes: ReadonlyMap<string, readonly InstanceType[]>;
  readonly #claims: ReadonlyMap<string, ResourceClaimView>;
  readonly #classes: ReadonlyMap<string, DeviceClassView>;
  readonly #requests = new Map<string, ClaimRequests | string>();
  readonly #templates = new Map<string, DeviceInventory>();
  readonly #expected = new Map<readonly DeviceTemplate[], ExpectedDevices>();

  constructor({ slices, claims, classes }: DevicesView, { port, vocabulary, instanceTypes }: DeviceInputs) {
    this.port = port;
    this.vocabulary = vocabulary;
    this.selectors = new DeviceSelectors(port.readSelector);
    this.published = new PublishedDevices(vocabulary, slices);
    this.instanceTypeKey = vocabulary.key(labelKeys.instanceType);
    this.#nodePoolKey = vocabulary.key(labelKeys.nodePool);
    this.#instanceTypes = instanceTypes;
    this.#claims = new Map(claims.map((claim) => [claimKey(claim.metadata), claim]));
    this.#classes = new Map(classes.map((each) => [each.metadata.name, each]));
  }

  get claims(): Iterable<[string, ResourceClaimView]> {
    return this.#claims;
  }

  /** Undefined for a pod that claims nothing. */
  claimsOf({ metadata, spec, status }: PodView): PodClaims | undefined {
    const references = spec.resourceClaims ?? [];
    if (references.length === 0) return undefined;
    const claims: ClaimRequests[] = [];
    for (const each of references) {
      const { resourceClaimName: name } = madeClaim(each, status) ?? each;
      if (name === undefined && madeClaim(each, status) !== undefined) continue;
      const found =
        name === undefined
          ? `claim ${each.name} has not been made from its template yet`
          : this.#requestsOf(`${metadata.namespace}/${name}`);
      if (typeof found === 'string') return { claims: [], flaw: found };
      if (!claims.includes(found)) claims.push(found);
    }
    return { claims, flaw: undefined };
  }

  /** The devices that nodes of a type will publish. */
  template(templates: readonly DeviceTemplate[] = noTemplates): ExpectedDevices {
    const known = this.#expected.get(templates);
    if (known !== undefined) return known;
    const text = JSON.stringify(templates);
    const inventory = this.#templates.get(text) ?? templateInventory(templates);
    this.#templates.set(text, inventory);
    this.#expected.set(templates, { text, inventory });
    return { text, inventory };
  }

  /** The devices of a node in flight, by its NodePool and instance type. */
  expectedOn(node: Requirements): DeviceInventory {
    const [pool = ''] = node.find(this.#nodePoolKey)?.values() ?? [];
    const [name = ''] = node.find(this.instanceTypeKey)?.values() ?? [];
    const type = this.#instanceTypes.get(pool)?.find((each) => each.name === name);
    return this.template(type?.deviceTemplates).inventory;
  }

  /**
   * The labels that node selectors of devices name, and those that distinguish nodes with different devices.
   */
  get keys(): readonly LabelKey[] {
    const selected = this.published.remote.flatMap(({ terms = [] }) =>
      terms.flatMap(({ requirements }) => requirements.keys()),
    );
    const allocated = Array.from(this.#claims.values(), ({ status }) => status?.allocation?.nodeSelector);
    const terms = allocated.flatMap((selector) => selector?.nodeSelectorTerms ?? []);
    const named = terms.flatMap(({ matchExpressions = [] }) =>
      matchExpressions.map(({ key }) => this.vocabulary.key(key)),
    );
    const hostname = this.vocabulary.key(labelKeys.hostname);
    return [this.instanceTypeKey, hostname, ...selected, ...named];
  }

  #requestsOf(key: string): ClaimRequests | string {
    const known = this.#requests.get(key);
    if (known !== undefined) return known;
    const claim = this.#claims.get(key);
    const made = claim === undefined ? `claim ${key} does not exist` : claimRequests(claim, this.#classes);
    this.#requests.set(key, made);
    return made;
  }
}

function claimKey({ namespace, name }: ResourceClaimView['metadata']): string {
  return `${namespace}/${name}`;
}

/** The claim that Kubernetes created from a template; it has no name if the pod needs none. */
function madeClaim(
  { name }: PodResourceClaim,
  status: PodView['status'],
): PodResourceClaimStatusLike | undefined {
  return status?.resourceClaimStatuses?.find((each) => each.name === name);
}
