import { ec2NodeClasses } from '@karpenter/aws';
import { startOperator } from '../operator/processes.mjs';
import { residentBytes } from '../operator/resident-bytes.mjs';
import { nodeClass, nodePool } from './manifests.mjs';

/** Our controllers with the simulated AWS account in another process; its instances take 10 s to join. */
export async function startOurs({ plane, client, profile }) {
  const operator = await startOperator({ kubeconfig: plane.kubeconfigPath, profile });
  const controllers = await operator.startControllers();
  return {
    pid: controllers.pid,
    log: controllers.log,
    nodePool,
    createNodeClass: () => client.create(ec2NodeClasses, nodeClass),
    moreFacts: async () => {
      const { heapUsed, delayP99, delayMax } = await controllers.figures();
      const account = residentBytes(operator.accountPid).peak;
      return { heapBytes: heapUsed, delayP99, delayMax, accountBytes: account };
    },
    async stop() {
      await controllers.stop();
      await operator.stop();
    },
  };
}
