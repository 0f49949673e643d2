import { isConditionFalse, isConditionUnknown } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import { backoffDelay, type Clock } from '@karpenter/kube/runtime';
import { amiFamilyOf } from '../../ami-family/index.ts';
import { awsErrorFields, errorText, hasCode } from '../../aws-errors/index.ts';
import { ExpiringMap } from '../../caching/index.ts';
import type { ClusterCidr } from '../../cluster-network/index.ts';
import { canonicalText, type LaunchTemplateProvider } from '../../launch-templates/index.ts';
import {
  cacheLifetimes,
  ec2NodeClassConditions,
  ec2NodeClassReasons,
  nodeClassPeriods,
} from '../../names/index.ts';
import type { EC2NodeClass } from '../../node-class/index.ts';
import type { Ec2 } from '../../ports/index.ts';
import { launchTags, restrictedTagsMessage } from '../../tags/index.ts';
import {
  dryRunOptions,
  fleetTrial,
  runTrial,
  type Trial,
  type TrialAction,
  type Verdict,
  verdictOn,
} from './dry-runs.ts';
import type { StepOutcome } from './status-step.ts';
import { planTrial, type TrialSources } from './trial-plan.ts';

export interface ValidationOptions extends TrialSources {
  readonly ec2: Pick<Ec2, 'createFleet' | 'runInstances'>;
  readonly templates: Pick<LaunchTemplateProvider, 'ensure'>;
  readonly cidr: Pick<ClusterCidr, 'resolve'>;
  readonly clusterName: string;
  /** Whether classes count as valid without being tried. */
  readonly disableDryRun: boolean;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const type = ec2NodeClassConditions.validationSucceeded;
const needed = [
  ec2NodeClassConditions.amisReady,
  ec2NodeClassConditions.instanceProfileReady,
  ec2NodeClassConditions.securityGroupsReady,
  ec2NodeClassConditions.subnetsReady,
];
const retries = { initial: nodeClassPeriods.firstRetry, max: nodeClassPeriods.longestRetry };

/**
 * Tries whether instances could be launched with an EC2NodeClass. What came out is believed for half an hour, unless
 * the class changes; any annotation counts as a change, so that people can ask for another try.
 */
export class Validation {
  readonly #options: ValidationOptions;
  /** By class, with all that the result depends on. */
  readonly #known: ExpiringMap<string, { readonly key: string; readonly verdict: Verdict }>;
  /** How often in a row each class was put off. */
  readonly #delays = new Map<string, number>();

  constructor(options: ValidationOptions) {
    this.#options = options;
    this.#known = new ExpiringMap({ clock: options.clock, lifetime: cacheLifetimes.validation });
  }

  /** The class is going. */
  forget(name: string): void {
    this.#known.delete(name);
    this.#delays.delete(name);
  }

  /** @param nodeClass with a status that tells what its selectors have found */
  async check(nodeClass: EC2NodeClass): Promise<StepOutcome> {
    return (
      (await this.#withoutCidr(nodeClass)) ??
      withoutDependencies(nodeClass) ??
      restrictedTags(nodeClass) ??
      (await this.#tried(nodeClass))
    );
  }

  /** Nodes of AL2023 are told the addresses of services when they start. */
  async #withoutCidr({ metadata, spec }: EC2NodeClass): Promise<StepOutcome | undefined> {
    if (amiFamilyOf(spec).name !== 'AL2023') return undefined;
    const outcome = await this.#options.cidr.resolve();
    if ('retry' in outcome) return this.#later(metadata.name);
    if ('cidr' in outcome) return undefined;
    return { condition: { type, status: 'False', ...outcome.failure }, error: outcome.cause };
  }

  async #tried(nodeClass: EC2NodeClass): Promise<StepOutcome> {
    const { name } = nodeClass.metadata;
    const tags = launchTags({
      clusterName: this.#options.clusterName,
      nodeClass: name,
      nodePool: '',
      tags: nodeClass.spec.tags,
    });
    const key = keyOf(nodeClass, tags);
    const known = this.#known.get(name);
    const verdict = known?.key === key ? known.verdict : await this.#try(nodeClass, tags);
    if (verdict === 'later') return this.#later(name);
    this.#delays.delete(name);
    if (known?.key !== key) this.#known.set(name, { key, verdict });
    return {
      condition: verdict === 'passed' ? { type, status: 'True' } : { type, status: 'False', ...verdict },
      requeueAfter: nodeClassPeriods.validation,
    };
  }

  /** EC2 is not asked again and again at once; the condition stays as it is meanwhile. */
  #later(name: string): StepOutcome {
    const failures = this.#delays.get(name) ?? 0;
    this.#delays.set(name, failures + 1);
    return { requeueAfter: backoffDelay(retries, failures) };
  }

  /** Each call needs what the one before it has made, or the permission that it has shown. */
  async #try(nodeClass: EC2NodeClass, tags: Trial['tags']): Promise<Verdict> {
    if (this.#options.disableDryRun) return 'passed';
    const { ec2 } = this.#options;
    const made = await this.#makeTemplate(nodeClass, tags);
    if ('verdict' in made) return made.verdict;
    const { trial } = made;
    try {
      await ec2.createFleet(fleetTrial(trial), dryRunOptions);
    } catch (error) {
      const verdict = this.#judge(error, 'CreateFleet', nodeClass);
      if (verdict !== 'passed') return verdict;
    }
    return this.#tryRunning(trial);
  }

  async #makeTemplate(
    nodeClass: EC2NodeClass,
    tags: Trial['tags'],
  ): Promise<{ readonly trial: Trial } | { readonly verdict: Verdict }> {
    const planned = await planTrial(nodeClass, tags, this.#options);
    try {
      const template = await this.#options.templates.ensure(planned.template);
      return { trial: { nodeClass, template, instanceType: planned.instanceType, tags } };
    } catch (error) {
      return { verdict: this.#judge(error, 'CreateLaunchTemplate', nodeClass) };
    }
  }

  /** A policy may allow some subnets only, and one is enough. */
  async #tryRunning(trial: Trial): Promise<Verdict> {
    const refusals: unknown[] = [];
    for (const subnet of trial.nodeClass.status?.subnets ?? []) {
      try {
        await this.#options.ec2.runInstances(runTrial(trial, subnet), dryRunOptions);
        return 'passed';
      } catch (error) {
        if (hasCode(error, 'DryRunOperation')) return 'passed';
        refusals.push(error);
      }
    }
    const [first] = refusals;
    return first === undefined ? 'passed' : this.#judge(first, 'RunInstances', trial.nodeClass);
  }

  /** A condition has room for the kind of refusal only; the log keeps what EC2 said. */
  #judge(error: unknown, action: TrialAction, { metadata }: EC2NodeClass): Verdict {
    const verdict = verdictOn(error, action);
    if (hasCode(error, 'UnauthorizedOperation')) {
      this.#options.log.error(`unauthorized to call ec2:${action}`, {
        EC2NodeClass: { name: metadata.name },
        error: errorText(error),
        ...awsErrorFields(error),
      });
    }
    return verdict;
  }
}

/** What cannot be launched for want of something else need not be tried. */
function withoutDependencies({ status }: EC2NodeClass): StepOutcome | undefined {
  const conditioned = { conditions: status?.conditions ?? [] };
  const reason = ec2NodeClassReasons.dependenciesNotReady;
  if (needed.some((each) => isConditionFalse(conditioned, each))) {
    return { condition: { type, status: 'False', ...reason } };
  }
  const isUndecided = needed.some((each) => isConditionUnknown(conditioned, each));
  return isUndecided ? { condition: { type, status: 'Unknown', ...reason } } : undefined;
}

function restrictedTags({ spec }: EC2NodeClass): StepOutcome | undefined {
  const message = restrictedTagsMessage(spec.tags);
  if (message === undefined) return undefined;
  return { condition: { type, status: 'False', ...ec2NodeClassReasons.tagValidationFailed, message } };
}

function keyOf({ metadata, spec, status }: EC2NodeClass, tags: Trial['tags']): string {
  const { conditions: _, ...found } = status ?? {};
  return canonicalText({ found, spec, annotations: metadata.annotations, tags });
}
