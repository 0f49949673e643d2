import type { Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from './context/index.ts';
import { disruptionControllers } from './disruption-controllers.ts';
import { lifecycleControllers } from './lifecycle-controllers.ts';
import { observationControllers, provisioningControllers } from './provisioning-controllers.ts';
import { RegistrationHealth } from './registration-health/index.ts';

/**
 * Builds every controller that does not depend on a cloud provider. This list, with the four lists that it
 * joins, is the index of the package. The cloud provider adds its own controllers beside these.
 */
export function controllers(context: ControllerContext): readonly Runnable[] {
  const health = new RegistrationHealth(context);
  return [
    ...provisioningControllers(context, health),
    ...lifecycleControllers(context, health),
    ...disruptionControllers(context),
    ...observationControllers(context),
  ];
}
