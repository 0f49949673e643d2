// The command line of Karpenter, and what benchmarks and tests reuse from it. Start reading at `main.ts`: it builds
// one command per file of `commands/`. Nothing here may import the simulator statically; see `embedded.ts` for that.

export { generatedFiles } from './generated/index.ts';
export { awsVocabulary } from './label-vocabulary.ts';
export { planSettings, scenarioSimulation, simulate, simulationsOf } from './simulate/index.ts';
