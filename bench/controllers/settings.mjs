import { accessSync, constants } from 'node:fs';

/** Options of `npm run bench -- --only controllers`, with the environment variables that carry them. */
export const controllersOptions = {
  pods: { variable: 'KARPENTER_BENCH_PODS' },
  budgets: { variable: 'KARPENTER_BENCH_BUDGETS' },
  runs: { variable: 'KARPENTER_BENCH_RUNS' },
  pace: { variable: 'KARPENTER_BENCH_PACE' },
  karpenter: { variable: 'KARPENTER_BENCH_KARPENTER' },
  profile: { variable: 'KARPENTER_BENCH_PROFILE' },
  decisions: { variable: 'KARPENTER_BENCH_DECISIONS' },
};

/**
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns what to measure; throws one sentence on a value that cannot be used
 */
export function settingsOf(environment) {
  const textOf = (name) => environment[controllersOptions[name].variable];
  const list = (name, usual) => (textOf(name) ?? usual).split(',').map((part) => part.trim());
  return {
    podCounts: list('pods', '500,1000').map((text) => positive('pods', text)),
    budgets: list('budgets', '10%,100%').map(budget),
    runs: positive('runs', textOf('runs') ?? '1'),
    pace: positive('pace', textOf('pace') ?? '500'),
    karpenter: textOf('karpenter') === undefined ? undefined : program(textOf('karpenter')),
    profile: textOf('profile'),
    decisions: textOf('decisions'),
  };
}

function positive(name, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} ${text}: not a positive whole number`);
}

function budget(text) {
  if (/^(\d+|\d{1,2}%|100%)$/.test(text)) return text;
  throw new Error(`--budgets ${text}: not a budget of a NodePool, such as 10% or 3`);
}

function program(path) {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch (error) {
    throw new Error(`--karpenter ${path}: cannot be run (${error.code}); npm run karpenter-kwok builds it`);
  }
}
