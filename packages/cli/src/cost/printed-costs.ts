import {
  apportion,
  type CostReport,
  hoursPerMonth,
  type NanoDollars,
  type NodeCostGroup,
  type PodCostGroup,
} from '@karpenter/core/cluster-view';

/** Which figures to print: to the hundredth of a cent per hour, to the cent per month. */
export type Period = 'hour' | 'month';

const decimals: Readonly<Record<Period, number>> = { hour: 4, month: 2 };
/** Billionths of a dollar per hour in one unit of the last printed digit. */
const unitNano: Readonly<Record<Period, number>> = { hour: 1e5, month: 1e7 / hoursPerMonth };

/**
 * Rounded figures that add up as printed. The total is rounded; every division of it, and every division of a
 * part, is apportioned in whole units of the last digit. Rounding each figure alone would leave sums a cent off.
 */
export class PrintedCosts {
  readonly period: Period;
  readonly total: number;
  readonly workloads: number;
  readonly daemons: number;
  readonly waste: number;
  /** What the same nodes cost more on demand; negative if they cost less. */
  readonly saved: number;

  constructor(report: CostReport, period: Period) {
    this.period = period;
    this.total = this.#units(report.hourly);
    const parts = apportion(this.total, [report.workloads, report.daemons, report.waste]);
    [this.workloads = 0, this.daemons = 0, this.waste = 0] = parts;
    this.saved = this.#units(report.onDemand - report.hourly);
  }

  /** The whole price of each group. */
  ofNodes(groups: readonly NodeCostGroup[]): readonly number[] {
    return apportion(
      this.total,
      groups.map(({ hourly }) => hourly),
    );
  }

  wasteOfNodes(groups: readonly NodeCostGroup[]): readonly number[] {
    return apportion(
      this.waste,
      groups.map(({ waste }) => waste),
    );
  }

  /** The groups of all pods divide `workloads`; those of a namespace divide their own sum. */
  ofPods(groups: readonly PodCostGroup[], isEverything: boolean): readonly number[] {
    const own = this.#units(groups.reduce((sum, { hourly }) => sum + hourly, 0));
    return apportion(
      isEverything ? this.workloads : own,
      groups.map(({ hourly }) => hourly),
    );
  }

  /** An amount that is no part of the total. */
  text(nano: NanoDollars): string {
    return this.unitsText(this.#units(nano));
  }

  /** With English thousands separators and without a dollar sign. */
  unitsText(units: number): string {
    const digits = decimals[this.period];
    return (units / 10 ** digits).toLocaleString('en-US', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  }

  #units(nano: NanoDollars): number {
    return Math.round(nano / unitNano[this.period]);
  }
}
