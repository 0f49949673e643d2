import type { ConditionStatus } from '@karpenter/core/api';
import type { DurationMs } from '@karpenter/core/values';
import type { ec2NodeClassConditions } from '../../names/index.ts';
import type { EC2NodeClass, EC2NodeClassStatus } from '../../node-class/index.ts';
import type { ResolutionFailure } from '../../resolution/index.ts';

type Findings = Omit<EC2NodeClassStatus, 'conditions'>;
type ConditionType = Exclude<(typeof ec2NodeClassConditions)[keyof typeof ec2NodeClassConditions], 'Ready'>;

/** Result of a step. Status fields and conditions that it leaves out stay unchanged. */
export interface StatusStepOutcome {
  /** Status fields to set; undefined clears a field. */
  readonly status?: { readonly [Field in keyof Findings]?: Findings[Field] | undefined };
  readonly condition?: StepCondition;
  readonly requeueAfter?: DurationMs;
  /** Fails the reconcile after the status is written. */
  readonly error?: unknown;
}

/** The condition that a step sets. Without a reason, the reason is the condition's type. */
export interface StepCondition extends Partial<ResolutionFailure> {
  readonly type: ConditionType;
  readonly status: ConditionStatus;
}

/** Resolves or checks one aspect of an EC2NodeClass. A throw changes nothing and fails the reconcile. */
export type StatusStep = (nodeClass: EC2NodeClass) => Promise<StatusStepOutcome>;
