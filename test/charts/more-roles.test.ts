import { describe } from 'vitest';
import { driftToNewImage } from '../walkthroughs/drift.ts';
import { spotFallback } from '../walkthroughs/spot-fallback.ts';
import { walksWithChartRoles } from './role-walks.ts';

describe('with the roles of the chart alone', () => {
  walksWithChartRoles([
    ['2', spotFallback],
    ['5', driftToNewImage],
  ]);
});
