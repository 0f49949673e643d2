import { startApiServer } from '@karpenter/sim/apiserver';
import { describe } from 'vitest';
import { viewerTests } from '../viewers/viewer-tests.ts';

describe('view and cost on the embedded API server', () => viewerTests(() => startApiServer()));
