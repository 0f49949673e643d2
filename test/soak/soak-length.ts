import { env } from 'node:process';

/** How long and from which seed a soak runs: a day in CI, as the variables of `npm run soak` say by hand. */
export const soak = {
  hours: Number(env['KARPENTER_SOAK_HOURS'] ?? 24),
  seed: Number(env['KARPENTER_SOAK_SEED'] ?? 1),
  isShown: env['KARPENTER_SOAK_PROGRESS'] === 'true',
};
