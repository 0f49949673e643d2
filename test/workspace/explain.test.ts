import { startApiServer } from '@karpenter/sim/apiserver';
import { describe } from 'vitest';
import { explainTests } from '../explain/explain-tests.ts';

describe('explain on the embedded API server', () => explainTests(() => startApiServer()));
