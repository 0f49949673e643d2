// The command line of Karpenter, and what benchmarks and tests reuse from it. Start reading at `main.ts`: it builds
// one command per file of `commands/`. Nothing here may import the simulator statically; see `embedded.ts` for that.

export { priceWithoutAws } from './cluster-view/index.ts';
export { type ExplainedObjects, explainedCluster, explainObject } from './explain/index.ts';
export { generatedFiles, metricGroups } from './generated/index.ts';
export { awsVocabulary } from './label-vocabulary.ts';
export { main } from './main.ts';
export { replayFile } from './replay/index.ts';
export { planSettings, scenarioSimulation, simulate, simulationsOf } from './simulate/index.ts';
export { changes, frameOf, initialState, parseViewSettings, screenOf, viewModel } from './view/index.ts';
