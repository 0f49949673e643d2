import { startControlPlane } from '@karpenter/testkit/control-plane';
import { describe } from 'vitest';
import { whatIfTests } from '../what-if/what-if-tests.ts';

// A control plane of its own without controllers: they would delete nodes and pods that no kubelet reports.
describe('simulate on a real API server', () => whatIfTests(() => startControlPlane({ components: [] })));
