import { startKarpenter } from './karpenter.mjs';
import { startOurs } from './our-controllers.mjs';

/** What is measured: our controllers, and Karpenter if its program is given. */
export function contenders({ karpenter, profile, decisions }) {
  const ours = { title: 'ours', start: (cluster) => startOurs({ ...cluster, profile, decisions }) };
  if (karpenter === undefined) return [ours];
  return [ours, { title: 'Karpenter', start: (cluster) => startKarpenter({ ...cluster, karpenter }) }];
}
