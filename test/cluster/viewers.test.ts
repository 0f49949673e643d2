import { startControlPlane } from '@karpenter/testkit/control-plane';
import { describe } from 'vitest';
import { viewerTests } from '../viewers/viewer-tests.ts';

// A control plane of its own without controllers: they would delete nodes and pods that no kubelet reports.
describe('view and cost on a real API server', () =>
  viewerTests(() => startControlPlane({ components: [] })));
