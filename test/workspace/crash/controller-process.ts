import { setImmediate } from 'node:timers/promises';
import { type EmbeddedCluster, runControllerProcess, settingsWith } from '@karpenter/cli/embedded';
import { JsonLog } from '@karpenter/controllers';
import { connect, type KubeClient } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import { controllerFlags } from '../../walkthroughs/world.ts';
import type { FlakyCalls } from './flaky-calls.ts';
import { type Death, Life } from './life.ts';
import { inSmallRegion } from './small-region.ts';

export interface ProcessOptions {
  readonly embedded: EmbeddedCluster;
  readonly clock: Clock;
  readonly faults: FlakyCalls;
  /** When the process is killed; never if undefined. */
  readonly death: Death | undefined;
  readonly onDeath: (write: string) => void;
  /** Called with each line of the log at level error, and with what ended the process. */
  readonly onError?: (message: string) => void;
  readonly flags?: Readonly<Record<string, string>>;
}

/** A controller process that can be killed. */
export interface ControllerProcess {
  readonly life: Life;
  /**
   * Waits for requests, which need turns of the event loop, but not for calls that wait for the clock
   * themselves.
   */
  answered(): Promise<void>;
  /** Ends it at once, whatever it does. */
  kill(): void;
  /** Ends it in good order. `pass` lets time pass. */
  end(pass: () => Promise<void>): Promise<void>;
}

const maxTurns = 100;

export function startProcess({
  embedded: { config, account },
  clock,
  faults,
  death,
  onDeath,
  onError = () => undefined,
  flags = {},
}: ProcessOptions): ControllerProcess {
  const ended = new AbortController();
  const leftBehind: (() => Promise<void>)[] = [];
  // Not within the call at which the process died, because this closes what that call still uses.
  const closeAll = () => void setImmediate().then(() => Promise.all(leftBehind.map((close) => close())));
  const life = new Life(death, (write) => {
    onDeath(write);
    closeAll();
  });
  void runControllerProcess({
    config,
    settings: settingsWith({ ...controllerFlags, ...flags }),
    account: { services: life.services(inSmallRegion(account.services)), region: account.region },
    clock: life.clock(clock),
    log: new JsonLog({ level: 'error', now: () => clock.now(), write: onError }),
    signal: ended.signal,
    connect: (at, options) => {
      const client: KubeClient = connect(at, options);
      leftBehind.push(() => client.close());
      return life.client(client, faults);
    },
    onListening: (endpoints) => leftBehind.push(() => endpoints.stop()),
  })
    .catch((error: unknown) => onError(`the process ended: ${error}`))
    .finally(() => life.end());
  return {
    life,
    async answered() {
      for (let turn = 0; turn < maxTurns && !life.isOver && life.underWay > 0; turn += 1)
        await setImmediate();
    },
    kill() {
      if (life.isOver) return;
      life.end();
      closeAll();
    },
    async end(pass) {
      ended.abort();
      while (!life.isOver) await pass();
    },
  };
}
