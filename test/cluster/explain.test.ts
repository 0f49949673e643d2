import { startControlPlane } from '@karpenter/testkit/control-plane';
import { describe } from 'vitest';
import { explainTests } from '../explain/explain-tests.ts';

// A control plane of its own without controllers: they would delete nodes and pods that no kubelet reports.
describe('explain on a real API server', () => explainTests(() => startControlPlane({ components: [] })));
