import { type Faults, faultsFrom, type SimulatedCloud } from '@karpenter/sim/cloud';
import type { SeededRandom } from '@karpenter/testkit/random-clusters';
import type { FlakyCalls } from '../workspace/crash/flaky-calls.ts';
import type { SteppedClock } from './stepped-clock.ts';

/** What hazards act on. */
export interface Exposed {
  readonly cloud: SimulatedCloud;
  readonly api: FlakyCalls;
  /** The clock of the host that the controllers run on. */
  readonly hostClock: SteppedClock;
  readonly chance: SeededRandom;
}

/** Something that goes wrong for a while. */
export interface Hazard {
  readonly name: string;
  begin(exposed: Exposed): void;
}

/** The account on a calm day: some latency, and reads that lag behind writes. */
const calm = faultsFrom({
  latency: '50ms',
  slow: [],
  errors: [],
  lostReplies: [],
  capacity: [],
  throttling: 'off',
  consistency: { describe: '1s' },
  boots: { delay: '5s', jitter: '5s', failing: 0, slow: 0, slowBy: '0s' },
});

export const calmAccount: Partial<Faults> = calm;

export function endHazards({ cloud, api }: Exposed): void {
  cloud.faults.set(calm);
  api.heal();
}

export const hazards: readonly [Hazard, ...Hazard[]] = [
  inAccount('zone outage', ({ chance }) => ({
    capacity: [{ types: '*', zones: zoneBy(chance), capacityTypes: '*', depth: 0 }],
  })),
  inAccount('no spot capacity', () => ({
    capacity: [{ types: '*', zones: '*', capacityTypes: 'spot', depth: 0 }],
  })),
  inAccount('no capacity', () => ({ capacity: [{ types: '*', zones: '*', capacityTypes: '*', depth: 0 }] })),
  inAccount('throttling', () => ({
    throttling: { 'ec2:describe': { burst: 2, perSecond: 1 }, 'ec2:fleet': { burst: 1, perSecond: 0.2 } },
  })),
  inAccount('lost replies', () => ({
    lostReplies: [
      { call: 'ec2:CreateFleet', chance: 0.3 },
      { call: 'ec2:TerminateInstances', chance: 0.3 },
    ],
    errors: [{ call: 'ec2:*', code: 'InternalError', status: 500, chance: 0.1 }],
  })),
  inAccount('slow boots', () => ({ boots: { delay: '5s', slow: 0.5, slowBy: '5m', failing: 0.2 } })),
  inAccount('slow calls', () => ({ slow: [{ call: '*', by: '10s' }] })),
  { name: 'API faults', begin: ({ api }) => api.failAgain() },
  {
    name: 'clock step',
    // Corrections of a host's clock; larger ones would make it useless for certificates as well.
    begin: ({ hostClock, chance }) => hostClock.step(chance.integer(-60, 60) * 1_000),
  },
];

function inAccount(name: string, faults: (exposed: Exposed) => object): Hazard {
  return { name, begin: (exposed) => exposed.cloud.faults.set(faultsFrom(faults(exposed))) };
}

function zoneBy(chance: SeededRandom): string {
  return chance.pick(['us-west-2a', 'us-west-2b', 'us-west-2c']);
}
