import { describe } from 'vitest';
import { driftToNewImage } from '../walkthroughs/drift.ts';
import { firstNode } from '../walkthroughs/first-node.ts';
import { spotInterruption } from '../walkthroughs/interruption.ts';
import { spotFallback } from '../walkthroughs/spot-fallback.ts';
import { walksWithChartRoles } from './role-walks.ts';

describe('with the roles of the chart alone', () => {
  walksWithChartRoles([
    ['1', firstNode],
    ['2', spotFallback],
    ['5', driftToNewImage],
    ['6', spotInterruption],
  ]);
});
