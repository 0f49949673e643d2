export { generatedFiles } from './generated/index.ts';
export { awsVocabulary } from './label-vocabulary.ts';
export { main } from './main.ts';
export { planSettings } from './simulate/cluster/plan-settings.ts';
export { scenarioSimulation } from './simulate/scenario/scenario-snapshot.ts';
export { simulationsOf } from './simulate/simulate.ts';
