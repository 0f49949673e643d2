import { describe } from 'vitest';
import { firstNode } from '../walkthroughs/first-node.ts';
import { spotInterruption } from '../walkthroughs/interruption.ts';
import { walksWithChartRoles } from './role-walks.ts';

// The other two are in a file of their own, so that both wait at the same time.
describe('with the roles of the chart alone', () => {
  walksWithChartRoles([
    ['1', firstNode],
    ['6', spotInterruption],
  ]);
});
