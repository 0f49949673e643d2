import type { Clock } from '@karpenter/kube/runtime';
import type { Chance } from '../../objects/chance.ts';
import type { InstanceLifecycle } from '../ec2/instance-lifecycle.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import type { Agenda } from '../world/agenda.ts';
import type { AgendaTask } from '../world/agenda-task.ts';
import { type Instance, isAlive } from '../world/instance.ts';
import type { Notices } from '../world/notices.ts';
import type { CloudWorld } from '../world/world.ts';
import { type CapacityPools, depthPeriodMs, type Pool } from './capacity-pools.ts';

export interface SpotMarketOptions {
  readonly world: CloudWorld;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly agenda: Agenda<AgendaTask>;
  readonly faults: FaultBoard;
  readonly pools: CapacityPools;
  readonly lifecycle: InstanceLifecycle;
  readonly notices: Notices;
  readonly saved?: SavedMarket | undefined;
}

export interface SavedMarket {
  /** Ids of instances that have an interruption warning. */
  readonly condemned: readonly string[];
  /** Whether a `spot-tick` is on the agenda. */
  readonly isTicking: boolean;
}

const hourMs = 3_600_000;

/** Interrupts spot instances: those beyond the depth of a pool that has shrunk, and others at random. */
export class SpotMarket {
  readonly #options: SpotMarketOptions;
  readonly #warned: Set<string>;
  #isTicking: boolean;

  constructor(options: SpotMarketOptions) {
    this.#options = options;
    this.#warned = new Set(options.saved?.condemned);
    this.#isTicking = options.saved?.isTicking ?? false;
  }

  save(): SavedMarket {
    return { condemned: [...this.#warned], isTicking: this.#isTicking };
  }

  /**
   * Sends the interruption warning now and terminates the instance after the notice period. False if the
   * instance is neither spot nor in an interruptible reservation. A second call sends nothing.
   */
  interrupt(instance: Instance): boolean {
    if (!isAlive(instance) || !this.#isInterruptible(instance)) return false;
    if (this.#warned.has(instance.id)) return true;
    const { agenda, clock, faults, notices } = this.#options;
    this.#warned.add(instance.id);
    instance.interruptionAt = clock.now() + faults.current.spot.notice;
    if (instance.capacityType === 'spot') notices.spotInterruption(instance);
    else notices.reservationInterruption(instance);
    const reason =
      instance.capacityType === 'spot'
        ? 'Server.SpotInstanceTermination'
        : 'Server.CapacityReservationInterruption';
    agenda.after(faults.current.spot.notice, { kind: 'terminate', instanceId: instance.id, reason });
    return true;
  }

  #isInterruptible({ capacityType, capacityReservationId }: Instance): boolean {
    const reservation = this.#options.world.capacityReservations.get(capacityReservationId ?? '');
    return capacityType === 'spot' || reservation?.facts.isInterruptible === true;
  }

  rebalance(instance: Instance): void {
    if (!isAlive(instance)) return;
    const { clock, notices } = this.#options;
    instance.rebalanceNoticeAt = clock.now();
    notices.rebalance(instance);
  }

  /** To be called with each change of an instance's state. */
  instanceChanged({ id, capacityType }: Instance, state: string): void {
    if (state === 'terminated') this.#warned.delete(id);
    if (state !== 'running' || capacityType !== 'spot' || this.#isTicking) return;
    this.#isTicking = true;
    this.#tickLater();
  }

  /**
   * Schedules the next tick for the moment when depths change. Nothing ticks while no spot instance runs, so
   * that an idle account has an empty agenda.
   */
  #tickLater(): void {
    const { agenda, clock } = this.#options;
    const next = (Math.floor(clock.now() / depthPeriodMs) + 1) * depthPeriodMs;
    agenda.at(next, { kind: 'spot-tick' });
  }

  /** Called when the depths of pools change: warns the instances to interrupt and schedules the next tick. */
  tick(): void {
    const running = this.#running();
    this.#isTicking = running.length > 0;
    if (!this.#isTicking) return;
    for (const instance of this.#toInterrupt(running)) this.#announce(instance);
    this.#tickLater();
  }

  #running(): readonly Instance[] {
    const all = [...this.#options.world.instances.values()];
    return all.filter((each) => each.capacityType === 'spot' && isAlive(each) && !this.#warned.has(each.id));
  }

  #toInterrupt(running: readonly Instance[]): readonly Instance[] {
    const { chance, faults, pools } = this.#options;
    const { interruptionsPerHour } = faults.current.spot;
    // Convert the hourly probability to one per period, assuming independent periods.
    const share = 1 - (1 - interruptionsPerHour) ** (depthPeriodMs / hourMs);
    const taken = new Map<string, number>();
    return running.filter(({ pool }) => {
      if (pool !== undefined && this.#exceeds(pool, pools.excess(pool), taken)) return true;
      return share > 0 && chance.next() < share;
    });
  }

  #exceeds({ type, zone }: Pool, excess: number, taken: Map<string, number>): boolean {
    const key = `${type}/${zone}`;
    const count = taken.get(key) ?? 0;
    if (count >= excess) return false;
    taken.set(key, count + 1);
    return true;
  }

  /** Recommends a rebalance first and interrupts the instance after the lead time. */
  #announce(instance: Instance): void {
    const { agenda, faults } = this.#options;
    this.rebalance(instance);
    agenda.after(faults.current.spot.rebalanceLead, { kind: 'interrupt', instanceId: instance.id });
  }
}
