/** Options of `npm run bench -- --only dev-memory`, with the environment variables that carry them. */
export const devMemoryOptions = { minutes: { variable: 'KARPENTER_BENCH_MINUTES' } };

/** Both figures are means over as many minutes as this. */
export const windowMinutes = 4;
const minMinutes = 3 * windowMinutes;

/**
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns how long to measure; throws one sentence on a value that cannot be used
 */
export function devMemorySettings(environment) {
  const text = environment[devMemoryOptions.minutes.variable] ?? '60';
  const minutes = Number(text);
  if (Number.isInteger(minutes) && minutes >= minMinutes) return { minutes };
  throw new Error(`--minutes ${text}: not a whole number of at least ${minMinutes}`);
}
