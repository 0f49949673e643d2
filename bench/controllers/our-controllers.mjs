import { join } from 'node:path';
import { ec2NodeClasses } from '@karpenter/aws';
import { startOperator } from '../operator/processes.mjs';
import { residentBytes } from '../operator/resident-bytes.mjs';
import { nodeClass, nodePool } from './manifests.mjs';
import { clustersKept, saveDecisions } from './saved-decisions.mjs';

/** In milliseconds, over the whole run; a monitor with shorter steps would take CPU time that Karpenter's lacks. */
async function delayP99({ metricsUrl }) {
  const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1]) * 1e3;
}

/** Our controllers with the simulated AWS account in another process; its instances take 10 s to join. */
export async function startOurs({ plane, client, profile, decisions }) {
  const flags = decisions === undefined ? {} : { 'decision-log-clusters': String(clustersKept) };
  const operator = await startOperator({ kubeconfig: plane.kubeconfigPath, profile, flags });
  const controllers = await operator.startControllers();
  return {
    pid: controllers.pid,
    log: controllers.log,
    nodePool,
    createNodeClass: () => client.create(ec2NodeClasses, nodeClass),
    moreFacts: async () => {
      const { heapUsed } = await controllers.figures();
      const account = residentBytes(operator.accountPid).peak;
      return { heapBytes: heapUsed, delayP99: await delayP99(controllers), accountBytes: account };
    },
    saveDecisions: async (run) => {
      if (decisions !== undefined) await saveDecisions(join(decisions, run), controllers);
    },
    async stop() {
      await controllers.stop();
      await operator.stop();
    },
  };
}
