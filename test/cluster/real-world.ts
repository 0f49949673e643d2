import { installDefinitions } from '@karpenter/cli/embedded';
import { connect, tokenCredentials } from '@karpenter/kube/client';
import { type ControlPlane, startControlPlane } from '@karpenter/testkit/control-plane';
import { type ControllerCommand, startControllerCommand } from '@karpenter/testkit/controller-command';
import { expect as usualExpect } from 'vitest';
import { clusterWorld, type PageShell, type PageWorld } from '../walkthroughs/world.ts';
import { pageShell } from './page-shell.ts';

export interface RealWorld extends PageWorld {
  readonly controller: ControllerCommand;
  readonly shell: PageShell;
}

/** Longer than anything takes, also beside other control planes. */
const patienceMs = 480_000;

/**
 * A separate real control plane, because new nodes take pods of any test, with the controllers as a separate
 * command. Time is real.
 */
export async function realWorld(expect: typeof usualExpect = usualExpect): Promise<RealWorld> {
  const plane = await startControlPlane({ readyWithinMs: 240_000 });
  const client = connect({
    server: plane.url,
    ca: plane.caPem,
    credentials: tokenCredentials(plane.token),
  });
  const controller = await startOn(plane, () => installDefinitions(client));
  const shell = pageShell(plane);
  return {
    ...clusterWorld(client),
    kubeconfig: plane.kubeconfigPath,
    shell,
    controller,
    log: controller.log,
    now: () => Date.now(),
    pass: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    eventually: (probe) => expect.poll(probe, { timeout: patienceMs, interval: 500 }),
    async stop() {
      shell.close();
      await controller.stop();
      await client.close();
      await plane.stop();
    },
  };
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
