import type { LaunchTemplate } from '@aws-sdk/client-ec2';
import { CodedError } from '@karpenter/core/errors';
import type { Log } from '@karpenter/core/ports';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import { isLaunchTemplateNotFound, isNotFound } from '../aws-errors/index.ts';
import { allPages, pageAfter, SharedCalls } from '../caching/index.ts';
import { cacheLifetimes, cacheSweeps, launchTuning, tagKeys } from '../names/index.ts';
import type { Ec2 } from '../ports/index.ts';
import { launchTemplateName, type TemplateOptions } from './template-options.ts';
import { createTemplateRequest } from './template-request.ts';

export interface TemplateProviderOptions {
  readonly ec2: Pick<Ec2, 'describeLaunchTemplates' | 'createLaunchTemplate' | 'deleteLaunchTemplate'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly clusterName: string;
  /** Called with the size of the rendered user data of a class, for metrics. */
  readonly onUserData?: (nodeClass: string, bytes: number) => void;
}

/**
 * Keeps launch templates in EC2 while they are used. The name is a hash of the content, so that an existing
 * template is always right. Templates that no launch used for a minute are deleted.
 */
export class LaunchTemplateProvider {
  readonly #options: TemplateProviderOptions;
  /** When each template was last used. */
  readonly #used = new Map<string, Instant>();
  readonly #calls = new SharedCalls<string, void>();

  constructor(options: TemplateProviderOptions) {
    this.#options = options;
  }

  /**
   * Finds or creates the template and returns its name. Concurrent calls for one template share one request. Rejects if
   * EC2 fails or the user data cannot be rendered; the next call tries again.
   */
  async ensure(options: TemplateOptions): Promise<string> {
    const name = launchTemplateName(options);
    if (!this.#isFresh(name)) await this.#calls.call(name, () => this.#findOrCreate(name, options));
    this.#touch(name);
    return name;
  }

  /**
   * Drops a template from the cache after EC2 reported it missing, so that the next launch creates it again.
   */
  invalidate(name: string): void {
    this.#options.log.debug('invalidating launch template in the cache because it no longer exists', {
      'launch-template-name': name,
    });
    this.#used.delete(name);
  }

  /** Loads the templates of an earlier leader into the cache, so that they are deleted when unused. */
  async hydrate(): Promise<void> {
    const { log, clusterName } = this.#options;
    const found = await this.#describe([{ Name: `tag:${tagKeys.eksClusterName}`, Values: [clusterName] }]);
    for (const { LaunchTemplateName: name } of found) if (name !== undefined) this.#touch(name);
    log.debug('hydrated launch template cache', { 'tag-key': tagKeys.eksClusterName, count: found.length });
  }

  /** Deletes unused templates. Logs failures; the next sweep retries them. Never rejects. */
  async sweep(): Promise<void> {
    // An entry stays until its deletion succeeds; without it nobody would delete the template.
    const unused = [...this.#used.keys()].filter((name) => !this.#isFresh(name));
    await Promise.all(unused.map((name) => this.#deleteQuietly(name)));
  }

  /** Sweeps periodically until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#options.clock.sleep(cacheSweeps.default, signal);
      if (!signal.aborted) await this.sweep();
    }
  }

  /** Deletes all templates of a class that is being deleted. Rejects on the first failure. */
  async deleteAll(nodeClass: string): Promise<void> {
    const found = await this.#describe([
      { Name: `tag:${tagKeys.eksClusterName}`, Values: [this.#options.clusterName] },
      { Name: `tag:${tagKeys.ec2NodeClass}`, Values: [nodeClass] },
    ]);
    const names = found.flatMap(({ LaunchTemplateName: name }) => name ?? []);
    for (const name of names) await this.#delete(name);
    if (names.length > 0) {
      this.#options.log.debug('deleted launch template(s)', { launchTemplates: names.join(', ') });
    }
  }

  #isFresh(name: string): boolean {
    const used = this.#used.get(name);
    return used !== undefined && this.#options.clock.now() < used + cacheLifetimes.default;
  }

  #touch(name: string): void {
    this.#used.set(name, this.#options.clock.now());
  }

  async #findOrCreate(name: string, options: TemplateOptions): Promise<void> {
    const { ec2, log } = this.#options;
    try {
      // EC2 may have one that is not fresh here: its deletion failed, or another process created it.
      const { LaunchTemplates: found = [] } = await ec2.describeLaunchTemplates({
        LaunchTemplateNames: [name],
      });
      if (found.length !== 1) throw ambiguous(name, found.length);
      log.debug('discovered launch template', { 'launch-template-name': name });
    } catch (error) {
      if (!isLaunchTemplateNotFound(error)) throw error;
      await this.#create(options);
    }
  }

  async #create(options: TemplateOptions): Promise<void> {
    const { ec2, log, onUserData } = this.#options;
    // Throws if user data cannot be rendered, before anything exists in EC2.
    const request = createTemplateRequest(options, (setting) =>
      log.error('Unknown parameter in userData K8s settings', {
        EC2NodeClass: { name: options.nodeClass },
        setting,
      }),
    );
    const bytes = Buffer.byteLength(request.LaunchTemplateData?.UserData ?? '', 'base64');
    onUserData?.(options.nodeClass, bytes);
    // Only a notice: EC2 enforces the limit, and validation reports its refusal on the class.
    if (bytes >= launchTuning.userDataWarningBytes) {
      log.info('rendered user data is approaching the EC2 user data size limit', {
        EC2NodeClass: options.nodeClass,
        'userdata-size-bytes': bytes,
        'userdata-limit-bytes': launchTuning.userDataLimitBytes,
      });
    }
    const { LaunchTemplate: created } = await ec2.createLaunchTemplate(request);
    log.debug('created launch template', {
      'launch-template-name': request.LaunchTemplateName ?? '',
      id: created?.LaunchTemplateId ?? '',
    });
  }

  async #describe(
    filters: readonly { readonly Name: string; readonly Values: string[] }[],
  ): Promise<readonly LaunchTemplate[]> {
    return allPages(
      (token) =>
        this.#options.ec2.describeLaunchTemplates({
          Filters: [...filters],
          MaxResults: 200,
          ...pageAfter(token),
        }),
      ({ LaunchTemplates }) => LaunchTemplates,
    );
  }

  async #delete(name: string): Promise<void> {
    try {
      await this.#options.ec2.deleteLaunchTemplate({ LaunchTemplateName: name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#used.delete(name);
  }

  async #deleteQuietly(name: string): Promise<void> {
    const { log } = this.#options;
    try {
      await this.#delete(name);
      log.debug('deleted launch template', { 'launch-template-name': name });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error('failed to delete launch template', { 'launch-template-name': name, error: reason });
    }
  }
}

function ambiguous(name: string, count: number): CodedError {
  return new CodedError(
    'aws-call-failed',
    `cannot use launch template ${name}: expected to find one of that name but found ${count}`,
    { details: { name, count } },
  );
}
