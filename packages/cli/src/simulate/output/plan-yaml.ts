import { stringify } from 'yaml';
import type { Simulated } from '../simulation.ts';
import { namedPlan } from './named-plan.ts';
import { summary } from './summary.ts';

/**
 * The whole plan as one YAML document, with `details` of the cluster. Leaves out `errors`, because `rejections` holds
 * the same reasons as data.
 */
export function planYaml(simulated: Simulated, details: object = {}): string {
  const { errors: _, ignored, buffers, overlays, ...numbers } = summary(simulated);
  const document = {
    source: simulated.source,
    summary: numbers,
    ...details,
    ...namedPlan(simulated),
    ...(ignored !== undefined && { ignored }),
    ...(buffers !== undefined && { buffers }),
    ...(overlays !== undefined && { overlays }),
  };
  return `---\n${stringify(document, { lineWidth: 110, aliasDuplicateObjects: false })}`;
}
