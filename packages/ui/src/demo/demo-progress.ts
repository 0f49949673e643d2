import { type DemoMoment, type DemoStart, demoSteps, isStepDone } from './demo-steps.ts';

/** Where the tour is; kept over a reload, and while other tabs are shown. */
export interface TourState {
  /** Index of the step; the number of steps when the tour is over. */
  readonly step: number;
  readonly start: DemoStart;
}

/** The state after this moment: the next step once what the step waits for has happened. */
export function advanceTour(state: TourState, now: DemoMoment): TourState {
  const step = demoSteps[state.step];
  if (step === undefined || !isStepDone(step, state.start, now)) return state;
  return { step: state.step + 1, start: startOf(now) };
}

export function startOf({ decisions, ...start }: DemoMoment): DemoStart {
  return start;
}

const storageKey = 'karpenter-tour';

/** The tour as a store outside React. */
export class TourStore {
  #state: TourState | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#state = readState(storage);
  }

  get state(): TourState | undefined {
    return this.#state;
  }

  set(state: TourState | undefined): void {
    if (state === this.#state) return;
    this.#state = state;
    if (state === undefined) this.#storage.removeItem(storageKey);
    else this.#storage.setItem(storageKey, JSON.stringify(state));
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

function readState(storage: Storage): TourState | undefined {
  try {
    const state = JSON.parse(storage.getItem(storageKey) ?? 'null') as TourState | null;
    return typeof state?.step === 'number' ? state : undefined;
  } catch {
    return undefined;
  }
}
