import { lifecycleTuning } from '@karpenter/core/api';
import type { ControllerContext } from '../context/index.ts';
import { endMachine } from '../machines/index.ts';
import type { Departing, DepartureStep, Passage } from './departing.ts';

/** Waits until the machine is gone; a Node without a claim has none that is ours to end. */
export class InstanceEnd implements DepartureStep {
  readonly #context: Pick<ControllerContext, 'client' | 'cloud' | 'clock'>;

  constructor(context: Pick<ControllerContext, 'client' | 'cloud' | 'clock'>) {
    this.#context = context;
  }

  async pass({ claim }: Departing): Promise<Passage> {
    if (claim === undefined || (await endMachine(this.#context, claim))) return { claim };
    return { wait: { requeueAfter: lifecycleTuning.instanceTerminationPoll } };
  }
}
