import { conformanceCases } from '@karpenter/testkit/api-conformance';
import { describe } from 'vitest';
import { runConformance } from '../api-conformance/run-conformance.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

describe('the real kube-apiserver', () => {
  const plane = sharedControlPlane();
  runConformance(conformanceCases, () => plane);
});
