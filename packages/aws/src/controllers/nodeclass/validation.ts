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
  type DryRunVerdict,
  dryRunOptions,
  fleetTrial,
  runTrial,
  type Trial,
  type TrialAction,
  verdictOn,
} from './dry-runs.ts';
import type { StatusStepOutcome } from './status-step.ts';
import { planTrial, type TrialSources } from './trial-plan.ts';

export interface ValidationOptions extends TrialSources {
  readonly ec2: Pick<Ec2, 'createFleet' | 'runInstances'>;
  readonly templates: Pick<LaunchTemplateProvider, 'ensure'>;
  readonly cidr: Pick<ClusterCidr, 'resolve'>;
  readonly clusterName: string;
  /** Skips the dry runs and treats classes as valid. */
  readonly disableDryRun: boolean;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const type = ec2NodeClassConditions.validationSucceeded;
/** Conditions that must be True before a dry run makes sense. */
const needed = [
  ec2NodeClassConditions.amisReady,
  ec2NodeClassConditions.instanceProfileReady,
  ec2NodeClassConditions.securityGroupsReady,
  ec2NodeClassConditions.subnetsReady,
];
const retries = { initial: nodeClassPeriods.firstRetry, max: nodeClassPeriods.longestRetry };

/**
 * Validates that instances can launch with an EC2NodeClass, by dry runs.
 * Caches the result for half an hour or until the class changes. Any
 * annotation counts as a change, so that users can trigger another validation.
 */
export class NodeClassValidation {
  readonly #options: ValidationOptions;
  /** Result by class, with a key of everything that it depends on. */
  readonly #cached: ExpiringMap<string, { readonly key: string; readonly verdict: DryRunVerdict }>;
  /** Consecutive temporary failures per class, for the backoff. */
  readonly #delays = new Map<string, number>();

  constructor(options: ValidationOptions) {
    this.#options = options;
    this.#cached = new ExpiringMap({ clock: options.clock, lifetime: cacheLifetimes.validation });
  }

  /** Drops the state of a deleted class. */
  forget(name: string): void {
    this.#cached.delete(name);
    this.#delays.delete(name);
  }

  /** @param nodeClass with the resolved status */
  async check(nodeClass: EC2NodeClass): Promise<StatusStepOutcome> {
    return (
      (await this.#withoutCidr(nodeClass)) ??
      withoutDependencies(nodeClass) ??
      restrictedTags(nodeClass) ??
      (await this.#tried(nodeClass))
    );
  }

  /** AL2023 nodes need the service CIDR in their user data. */
  async #withoutCidr({ metadata, spec }: EC2NodeClass): Promise<StatusStepOutcome | undefined> {
    if (amiFamilyOf(spec).name !== 'AL2023') return undefined;
    const outcome = await this.#options.cidr.resolve();
    if ('retry' in outcome) return this.#later(metadata.name);
    if ('cidr' in outcome) return undefined;
    return { condition: { type, status: 'False', ...outcome.failure }, error: outcome.cause };
  }

  async #tried(nodeClass: EC2NodeClass): Promise<StatusStepOutcome> {
    const { name } = nodeClass.metadata;
    const tags = launchTags({
      clusterName: this.#options.clusterName,
      nodeClass: name,
      nodePool: '',
      tags: nodeClass.spec.tags,
    });
    const key = keyOf(nodeClass, tags);
    const known = this.#cached.get(name);
    const verdict = known?.key === key ? known.verdict : await this.#try(nodeClass, tags);
    if (verdict === 'later') return this.#later(name);
    this.#delays.delete(name);
    if (known?.key !== key) this.#cached.set(name, { key, verdict });
    return {
      condition: verdict === 'passed' ? { type, status: 'True' } : { type, status: 'False', ...verdict },
      requeueAfter: nodeClassPeriods.validation,
    };
  }

  /** Requeues with backoff after a temporary failure. The condition stays unchanged meanwhile. */
  #later(name: string): StatusStepOutcome {
    const failures = this.#delays.get(name) ?? 0;
    this.#delays.set(name, failures + 1);
    return { requeueAfter: backoffDelay(retries, failures) };
  }

  /** Sequential, because the dry runs need the template, and the first failure decides the condition. */
  async #try(nodeClass: EC2NodeClass, tags: Trial['tags']): Promise<DryRunVerdict> {
    if (this.#options.disableDryRun) return 'passed';
    const { ec2 } = this.#options;
    const created = await this.#createTemplate(nodeClass, tags);
    if ('verdict' in created) return created.verdict;
    const { trial } = created;
    try {
      await ec2.createFleet(fleetTrial(trial), dryRunOptions);
    } catch (error) {
      const verdict = this.#reportVerdict(error, 'CreateFleet', nodeClass);
      if (verdict !== 'passed') return verdict;
    }
    return this.#tryRunning(trial);
  }

  async #createTemplate(
    nodeClass: EC2NodeClass,
    tags: Trial['tags'],
  ): Promise<{ readonly trial: Trial } | { readonly verdict: DryRunVerdict }> {
    const planned = await planTrial(nodeClass, tags, this.#options);
    try {
      const template = await this.#options.templates.ensure(planned.template);
      return { trial: { nodeClass, template, instanceType: planned.instanceType, tags } };
    } catch (error) {
      return { verdict: this.#reportVerdict(error, 'CreateLaunchTemplate', nodeClass) };
    }
  }

  /** Passes if any subnet does, because a policy may allow some subnets only. Else the first error decides. */
  async #tryRunning(trial: Trial): Promise<DryRunVerdict> {
    const errors: unknown[] = [];
    for (const subnet of trial.nodeClass.status?.subnets ?? []) {
      try {
        await this.#options.ec2.runInstances(runTrial(trial, subnet), dryRunOptions);
        return 'passed';
      } catch (error) {
        if (hasCode(error, 'DryRunOperation')) return 'passed';
        errors.push(error);
      }
    }
    const [first] = errors;
    return first === undefined ? 'passed' : this.#reportVerdict(first, 'RunInstances', trial.nodeClass);
  }

  /** Logs the full error of EC2; the condition contains only its kind. */
  #reportVerdict(error: unknown, action: TrialAction, { metadata }: EC2NodeClass): DryRunVerdict {
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

/** Skips the dry runs while a condition they depend on is not True. */
function withoutDependencies({ status }: EC2NodeClass): StatusStepOutcome | undefined {
  const conditioned = { conditions: status?.conditions ?? [] };
  const reason = ec2NodeClassReasons.dependenciesNotReady;
  if (needed.some((each) => isConditionFalse(conditioned, each))) {
    return { condition: { type, status: 'False', ...reason } };
  }
  const isUndecided = needed.some((each) => isConditionUnknown(conditioned, each));
  return isUndecided ? { condition: { type, status: 'Unknown', ...reason } } : undefined;
}

function restrictedTags({ spec }: EC2NodeClass): StatusStepOutcome | undefined {
  const message = restrictedTagsMessage(spec.tags);
  if (message === undefined) return undefined;
  return { condition: { type, status: 'False', ...ec2NodeClassReasons.tagValidationFailed, message } };
}

/**
 * Everything that can change the result, with all annotations, as in Karpenter. Conditions are left out: they change
 * without a change of the class.
 */
function keyOf({ metadata, spec, status }: EC2NodeClass, tags: Trial['tags']): string {
  const { conditions: _, ...found } = status ?? {};
  return canonicalText({ found, spec, annotations: metadata.annotations, tags });
}
