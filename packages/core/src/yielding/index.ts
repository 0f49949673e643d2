/**
 * The pure half of yielding to the event loop: loops written as generators whose caller runs them step by step,
 * and the constants of all yielding. `@karpenter/kube/yielding` runs them and says which loops of the product
 * yield (ADR 0032). Start with `steps.ts`.
 */
export { endsStep, inSteps, runAtOnce, StepCounter, type StepSignal, type Steps } from './steps.ts';
export { yieldTuning } from './yield-tuning.ts';
