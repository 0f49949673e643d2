import { startApiServer } from '@karpenter/sim/apiserver';
import { describe } from 'vitest';
import { whatIfTests } from '../what-if/what-if-tests.ts';

describe('simulate on the embedded API server', () => whatIfTests(() => startApiServer()));
