import { testRun } from './test-run.mjs';
import { tiers } from './tiers.mjs';

process.exitCode = await testRun({ tiers, filters: process.argv.slice(2) });
