import { prepare, runTool } from './prepare.mjs';

prepare({ projects: ['packages/cli'] });
process.exitCode = runTool('biome', ['check', '--write', '.'], { stdio: 'inherit' }).status ?? 1;
