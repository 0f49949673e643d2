import type { DescribeImagesCommandInput, Image } from '@aws-sdk/client-ec2';
import { CodedError } from '@karpenter/core/errors';
import type { Log } from '@karpenter/core/ports';
import type { DurationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import { errorText, isNotFound } from '../aws-errors/index.ts';
import { allPages, ChangeMonitor, ExpiringMap, pageAfter } from '../caching/index.ts';
import { canonicalText } from '../launch-templates/index.ts';
import { ec2NodeClassReasons } from '../names/index.ts';
import type { AmiStatus, EC2NodeClass } from '../node-class/index.ts';
import type { Ec2 } from '../ports/index.ts';
import { foundOr, generationKey, type Resolution, type ResolutionFailure } from '../resolution/index.ts';
import { type Alias, aliasParameters, parseAlias, unsupportedAlias } from './alias-parameters.ts';
import { chooseImages, type KnownUses } from './image-choice.ts';
import { imageQueries } from './image-queries.ts';
import type { ParameterStore } from './parameter-store.ts';

export interface ImageProviderOptions {
  readonly ec2: Pick<Ec2, 'describeImages'>;
  readonly parameters: ParameterStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Kubernetes version of the cluster, such as `1.35`. */
  readonly k8sVersion: () => Promise<string>;
  readonly refreshInterval: DurationMs;
}

/** Resolves the AMIs that an EC2NodeClass selects. */
export class ImageProvider {
  readonly #options: ImageProviderOptions;
  readonly #found: ExpiringMap<string, readonly AmiStatus[]>;
  readonly #seen = new ChangeMonitor();

  constructor(options: ImageProviderOptions) {
    this.#options = options;
    this.#found = new ExpiringMap({ clock: options.clock, lifetime: options.refreshInterval });
  }

  /** Returns the AMIs for `status.amis`, or why there are none. Rejects if an AWS call fails. */
  async resolve(nodeClass: EC2NodeClass): Promise<Resolution<readonly AmiStatus[]>> {
    const terms = nodeClass.spec.amiSelectorTerms;
    const written = terms.find(({ alias }) => alias !== undefined)?.alias;
    const alias = written === undefined ? undefined : parseAlias(written);
    const k8s = alias === undefined ? '' : await this.#options.k8sVersion();
    const unsupported = alias && unsupportedAlias(alias, k8s);
    if (unsupported !== undefined) {
      return { failure: { ...ec2NodeClassReasons.unsupportedAlias, message: unsupported } };
    }
    const uses = alias === undefined ? new Map() : await this.#aliasUses(alias, k8s);
    const fromParameters = await this.#customIds(terms.flatMap(({ ssmParameter }) => ssmParameter ?? []));
    const queries = imageQueries(terms, [...uses.keys(), ...fromParameters]);
    const found = await this.#images(nodeClass, queries, uses);
    const ids = [...new Set(found.map(({ id }) => id))];
    const { name } = nodeClass.metadata;
    if (this.#seen.isNews(name, ids))
      this.#options.log.debug('discovered amis', { EC2NodeClass: { name }, ids });
    return foundOr(found, notFound(written, k8s));
  }

  /**
   * Reads the alias's parameters. Not every variant exists for every version, so single failures are tolerated. Returns
   * an empty map if no parameter exists, and throws if there is none because of another SSM error.
   */
  async #aliasUses(alias: Alias, k8s: string): Promise<KnownUses> {
    const { parameters, log } = this.#options;
    const uses = new Map<string, KnownUses extends ReadonlyMap<string, infer V> ? V : never>();
    let failure: unknown;
    for (const parameter of aliasParameters(alias, k8s)) {
      try {
        const id = await parameters.get(parameter);
        uses.set(id, [...(uses.get(id) ?? []), ...parameter.uses]);
      } catch (error) {
        if (!isNotFound(error)) failure = error;
        log.debug('failed to discover an image of an alias', {
          parameter: parameter.name,
          error: errorText(error),
        });
      }
    }
    if (uses.size > 0 || failure === undefined) return uses;
    throw new CodedError('unresolved-node-class', `failed to discover any AMIs for alias`, {
      details: { alias: `${alias.family}@${alias.version}`, k8s },
      cause: failure,
    });
  }

  async #customIds(names: readonly string[]): Promise<readonly string[]> {
    const ids = await Promise.all(names.map((name) => this.#customId(name)));
    return ids.flatMap((id) => id ?? []);
  }

  /** A missing parameter, or one that holds no AMI id, matches nothing, like any other selector. */
  async #customId(name: string): Promise<string | undefined> {
    const { parameters, log } = this.#options;
    try {
      const id = await parameters.get({ name, mutable: true, isCustom: true });
      if (id.startsWith('ami-')) return id;
      log.debug('ssm parameter holds no image', { parameter: name, value: id });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      log.debug('ssm parameter not found', { parameter: name, error: errorText(error) });
    }
    return undefined;
  }

  async #images(
    nodeClass: EC2NodeClass,
    queries: readonly DescribeImagesCommandInput[],
    uses: KnownUses,
  ): Promise<readonly AmiStatus[]> {
    // The queries are part of the key because SSM parameters
    // may resolve to other AMIs without a change of the class.
    const key = `${generationKey(nodeClass)} ${canonicalText(queries)}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const images = (await Promise.all(queries.map((query) => this.#describe(query)))).flat();
    const chosen = chooseImages(images, uses, this.#options.clock.now());
    this.#found.set(key, chosen);
    return chosen;
  }

  #describe(query: DescribeImagesCommandInput): Promise<readonly Image[]> {
    return allPages(
      (token) => this.#options.ec2.describeImages({ ...query, ...pageAfter(token) }),
      ({ Images }) => Images,
    );
  }
}

/** Karpenter's message, with the alias appended if there is one: a misspelt release is the usual cause. */
function notFound(alias: string | undefined, k8s: string): ResolutionFailure {
  const { reason, message } = ec2NodeClassReasons.amiNotFound;
  return {
    reason,
    message: alias === undefined ? message : `${message} (alias=${alias}, kubernetes-version=${k8s})`,
  };
}
