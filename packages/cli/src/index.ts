export { generatedFiles } from './generated/index.ts';
export { main } from './main.ts';
export { scenarioSimulation } from './simulate/scenario/scenario-snapshot.ts';
