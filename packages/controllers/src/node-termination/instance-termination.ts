import { lifecycleTuning } from '@karpenter/core/api';
import type { ControllerContext } from '../context/index.ts';
import { terminateInstance } from '../instances/index.ts';
import type { StepResult, TerminatingNode, TerminationStep } from './termination-step.ts';

/**
 * Terminates the instance and waits until the cloud provider no longer finds it. A Node without a NodeClaim skips the
 * step: this controller terminates only instances of NodeClaims.
 */
export class InstanceTermination implements TerminationStep {
  readonly #context: Pick<ControllerContext, 'client' | 'cloud' | 'clock'>;

  constructor(context: Pick<ControllerContext, 'client' | 'cloud' | 'clock'>) {
    this.#context = context;
  }

  async run({ claim }: TerminatingNode): Promise<StepResult> {
    if (claim === undefined) return { claim };
    if ((await terminateInstance(this.#context, claim)) === 'gone') return { claim };
    return { wait: { requeueAfter: lifecycleTuning.instanceTerminationPoll } };
  }
}
