import { testRun } from './test-run.mjs';
import { tiers } from './tiers.mjs';

process.exitCode = await testRun({ tiers: tiers.filter(({ name }) => name === 'unit') });
