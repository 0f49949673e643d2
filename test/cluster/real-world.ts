import { installDefinitions } from '@karpenter/cli/embedded';
import { connect, tokenCredentials } from '@karpenter/kube/client';
import { type ControlPlane, startControlPlane } from '@karpenter/testkit/control-plane';
import { type ControllerCommand, startControllerCommand } from '@karpenter/testkit/controller-command';
import { type ExpectStatic, expect } from 'vitest';
import { clusterWorld, type PageWorld } from '../walkthroughs/world.ts';

const patience = { timeout: 180_000, interval: 500 };

export interface RealWorld extends PageWorld {
  readonly controller: ControllerCommand;
}

/**
 * A separate real control plane, because new nodes take pods of any test, with the controllers as a separate
 * command. Time is real.
 */
export async function realWorld(): Promise<RealWorld> {
  const plane = await startControlPlane();
  const client = connect({
    server: plane.url,
    ca: plane.caPem,
    credentials: tokenCredentials(plane.token),
  });
  const controller = await startOn(plane, () => installDefinitions(client));
  return {
    ...clusterWorld(client),
    kubeconfig: plane.kubeconfigPath,
    controller,
    log: controller.log,
    now: () => Date.now(),
    pass: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    eventually: (probe) => expect.poll(probe, patience),
    async stop() {
      await controller.stop();
      await client.close();
      await plane.stop();
    },
  };
}

/** The same world for a test that runs beside others: its expectations count for that test. */
export function seenBy(expectation: ExpectStatic, world: RealWorld): RealWorld {
  return { ...world, eventually: (probe) => expectation.poll(probe, patience) };
}

async function startOn(plane: ControlPlane, install: () => Promise<void>): Promise<ControllerCommand> {
  try {
    await install();
    return await startControllerCommand({ kubeconfig: plane.kubeconfigPath });
  } catch (error) {
    await plane.stop();
    throw error;
  }
}
