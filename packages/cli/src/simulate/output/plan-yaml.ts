import { stringify } from 'yaml';
import type { Simulated } from '../simulation.ts';
import { namedPlan } from './named-plan.ts';
import { summary } from './summary.ts';

/** The whole plan as one YAML document; pods by name. */
export function planYaml(simulated: Simulated): string {
  const { errors: _, ...numbers } = summary(simulated);
  const document = { source: simulated.source, summary: numbers, ...namedPlan(simulated) };
  return `---\n${stringify(document, { lineWidth: 110, aliasDuplicateObjects: false })}`;
}
