import type { WhatIfAnswer, WhatIfQuestion } from '@karpenter/core/page-api';
import type { ClusterChoice } from '../cluster-view/index.ts';
import { noChoices, type SimulationPorts, simulate } from '../simulate/index.ts';
import { liveWriters } from './live-output.ts';
import { liveSimulation, type WhatIf } from './live-simulation.ts';
import { priceDocument } from './price-output.ts';

/** What `karpenter simulate` prints for the same flags, notes first. It sends no write. */
export async function answeredQuestion(
  choice: ClusterChoice,
  question: WhatIfQuestion,
  ports: Omit<SimulationPorts, 'note'>,
): Promise<WhatIfAnswer> {
  const notes: string[] = [];
  const inputs = { ports: { ...ports, note: (text: string) => void notes.push(text) }, choices: noChoices };
  const { simulation, facts } = await liveSimulation(choice, whatIfOf(question), inputs);
  const simulated = simulate(simulation, inputs.ports);
  const { now, after, afterConsolidation = after } = priceDocument(simulated, facts);
  return {
    text: [...notes.map((note) => `note: ${note}\n`), liveWriters.table(simulated, facts)].join(''),
    priceBefore: now,
    priceAfter: afterConsolidation,
  };
}

function whatIfOf({ add = '', set = [], removeNodes = [], consolidate = false }: WhatIfQuestion): WhatIf {
  const files = add.trim() === '' ? [] : [{ name: 'the added manifests', text: add }];
  return { add: files, set, removeNodes, consolidate };
}
