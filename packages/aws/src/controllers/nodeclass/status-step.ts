import type { ConditionStatus } from '@karpenter/core/api';
import type { DurationMs } from '@karpenter/core/values';
import type { ec2NodeClassConditions } from '../../names/index.ts';
import type { EC2NodeClass, EC2NodeClassStatus } from '../../node-class/index.ts';
import type { ResolutionFailure } from '../../resolution/index.ts';

type Findings = Omit<EC2NodeClassStatus, 'conditions'>;
type ConditionType = Exclude<(typeof ec2NodeClassConditions)[keyof typeof ec2NodeClassConditions], 'Ready'>;

/** What a step found out about an EC2NodeClass. What it leaves out stays as it is. */
export interface StepOutcome {
  /** Fields of the status; undefined ones are to be cleared. */
  readonly status?: { readonly [Field in keyof Findings]?: Findings[Field] | undefined };
  readonly condition?: StepCondition;
  readonly requeueAfter?: DurationMs;
  /** The pass has failed, for a reason that no condition tells, or not only. */
  readonly error?: unknown;
}

export interface StepCondition extends Partial<ResolutionFailure> {
  readonly type: ConditionType;
  readonly status: ConditionStatus;
}

/** One question about an EC2NodeClass. A throw is an outcome that changes nothing. */
export type StatusStep = (nodeClass: EC2NodeClass) => Promise<StepOutcome>;
