import type { CpuBurst } from '../../ports/index.ts';
import type { ResourceAxes } from '../context/resource-axes.ts';
import type { CompiledOffering } from './compiled-type.ts';

/** An offering up to some amount of CPU, and what that costs beyond the price of the offering. */
export interface BurstStep {
  readonly allocatable: Float64Array;
  readonly surplus: number;
}

/** Which parts of the CPU beyond the baseline are priced separately. */
const parts = [0, 0.5, 1];

/**
 * The price of a burstable instance depends on the CPU of its pods, but packing knows one price for each
 * offer. So each offering becomes several offers: one with the CPU of the baseline at its own price, and
 * others with more CPU, each at the price with all that CPU in use.
 */
export class BurstSteps {
  readonly #cpu: number;
  readonly #unit: number;
  /** Offerings of one type mostly share the vector; offers that share one compare fast. */
  readonly #known = new Map<Float64Array, readonly BurstStep[]>();
  #last: Float64Array | undefined;
  #lastSteps: readonly BurstStep[] = [];

  constructor(axes: ResourceAxes) {
    this.#cpu = axes.index('cpu');
    this.#unit = axes.unit('cpu');
  }

  /** Offerings come type by type, so that the steps are mostly those of the offering before. */
  of({ type, allocatable }: CompiledOffering): readonly BurstStep[] {
    if (allocatable === this.#last) return this.#lastSteps;
    const { burst } = type;
    const steps =
      burst === undefined || this.#cpu < 0
        ? [{ allocatable, surplus: 0 }]
        : (this.#known.get(allocatable) ?? this.#stepsOf(burst, allocatable));
    this.#last = allocatable;
    this.#lastSteps = steps;
    return steps;
  }

  #stepsOf(burst: CpuBurst, allocatable: Float64Array): readonly BurstStep[] {
    const baseline = Math.floor(burst.baseline * this.#unit);
    const beyond = (allocatable[this.#cpu] ?? 0) - baseline;
    const steps =
      beyond <= 0
        ? [{ allocatable, surplus: 0 }]
        : parts.map((part) => ({
            allocatable:
              part === 1 ? allocatable : this.#upTo(allocatable, baseline + Math.floor(part * beyond)),
            surplus: (part * beyond * burst.surplusPrice) / this.#unit,
          }));
    this.#known.set(allocatable, steps);
    return steps;
  }

  #upTo(allocatable: Float64Array, cpu: number): Float64Array {
    return allocatable.map((amount, axis) => (axis === this.#cpu ? cpu : amount));
  }
}
