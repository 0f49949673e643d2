import type { Image } from '@aws-sdk/client-ec2';
import type { Log } from '@karpenter/core/ports';
import type { Clock, ReconcileResult, Singleton } from '@karpenter/kube/runtime';
import { allPages, pageAfter } from '../../caching/index.ts';
import { imageQueries, isDeprecated, type ParameterStore } from '../../images/index.ts';
import { awsControllerNames, awsReconcilePeriods } from '../../names/index.ts';
import type { Ec2 } from '../../ports/index.ts';

export interface ParameterInvalidationOptions {
  readonly ec2: Pick<Ec2, 'describeImages'>;
  readonly parameters: Pick<ParameterStore, 'mutableValues' | 'forget'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/**
 * Invalidates cached SSM parameters whose AMI is deprecated or gone.
 * They are cached for a day, and must hold a newer AMI by then.
 */
export class ParameterInvalidation implements Singleton {
  readonly name = awsControllerNames.ssmInvalidation;
  readonly #options: ParameterInvalidationOptions;

  constructor(options: ParameterInvalidationOptions) {
    this.#options = options;
  }

  async reconcile(): Promise<ReconcileResult> {
    const { parameters, clock, log } = this.#options;
    const cached = parameters.mutableValues();
    const images = await this.#describe([...new Set(cached.map(({ value }) => value))]);
    const current = new Set(
      images.filter((image) => !isDeprecated(image, clock.now())).map(({ ImageId }) => ImageId),
    );
    for (const { name, value } of cached.filter((parameter) => !current.has(parameter.value))) {
      parameters.forget(name);
      log.debug('invalidating ssm parameter of a deprecated image', { parameter: name, value });
    }
    return { requeueAfter: awsReconcilePeriods.ssmInvalidation };
  }

  async #describe(ids: readonly string[]): Promise<readonly Image[]> {
    const responses = await Promise.all(
      imageQueries([], ids).map((query) =>
        allPages(
          (token) => this.#options.ec2.describeImages({ ...query, ...pageAfter(token) }),
          ({ Images }) => Images,
        ),
      ),
    );
    return responses.flat();
  }
}
