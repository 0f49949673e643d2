import { setMaxListeners } from 'node:events';
import { ec2NodeClasses } from '@karpenter/aws';
import { installDefinitions } from '@karpenter/cli/embedded';
import { nodeClaims, nodePools } from '@karpenter/controllers';
import { onDemandPrice } from '@karpenter/ec2-catalogue';
import { CacheSet } from '@karpenter/kube/cache';
import { connect, kinds, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { startControlPlane } from '@karpenter/testkit/control-plane';
import { startOperator } from '../operator/processes.mjs';
import { residentBytes } from '../operator/resident-bytes.mjs';

const isRunning = ({ metadata, status }) =>
  metadata.deletionTimestamp === undefined && status?.phase === 'Running';

const isPoolReady = ({ status }) =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

/**
 * Rate limit of kube-controller-manager and kube-scheduler. With their defaults of 20 and 50, creating 500
 * pods would take 25 s and binding them 10 s, whatever the controllers do.
 */
const requestsPerSecond = 500;

/** A real control plane with the controllers on it, and the observations of both. */
export async function startCluster() {
  const plane = await startControlPlane({ requestsPerSecond });
  const config = { server: plane.url, ca: plane.caPem, credentials: tokenCredentials(plane.token) };
  const client = connect(config, { qps: 1e6, burst: 1e6 });
  await installDefinitions(client);
  const operator = await startOperator({ kubeconfig: plane.kubeconfigPath });
  const controllers = await operator.startControllers();
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const caches = new CacheSet({ client, clock: systemClock, signal: ended.signal });
  const watched = [kinds.pod, kinds.node, nodeClaims, nodePools].map((kind) => caches.of(kind));
  await Promise.all(watched.map((cache) => cache.waitForSync()));
  const [pods, nodes, claims, pools] = watched;
  return {
    client,
    isReady: () => pools.list().some(isPoolReady),
    changes: watchChanges({ pods, nodes, claims }),
    running: () => pods.list().filter(isRunning).length,
    nodes: () => nodes.list().length,
    claims: () => claims.list().length,
    dollarsPerHour: () => nodes.list().reduce((sum, node) => sum + priceOf(node), 0),
    usage: () => controllers.figures(),
    accountBytes: () => residentBytes(operator.accountPid),
    log: controllers.log,
    async stop() {
      ended.abort();
      await controllers.stop();
      await operator.stop();
      await client.close();
      await plane.stop();
    },
  };
}

/**
 * The time of the last change: a node or NodeClaim created, deleted or gone, a pod created, gone or bound;
 * and the same without nodes and NodeClaims that disappeared. After the delete call EC2 takes half a minute
 * to end an instance that is no longer billed, and nothing else may happen in that time.
 */
function watchChanges({ pods, nodes, claims }) {
  const started = performance.now();
  const at = { last: started, decided: started };
  const note = (isDecided) => {
    at.last = performance.now();
    if (isDecided) at.decided = at.last;
  };
  for (const cache of [nodes, claims])
    cache.subscribe((change) => {
      if (change.type !== 'modified' || isToldToGo(change)) note(change.type !== 'deleted');
    });
  pods.subscribe(({ type, object, previous }) => {
    if (type !== 'modified' || object.spec.nodeName !== previous.spec.nodeName) note(true);
  });
  return { last: () => at.last, lastDecided: () => at.decided };
}

const isToldToGo = ({ object, previous }) =>
  object.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp;

function priceOf({ metadata }) {
  const type = metadata.labels['node.kubernetes.io/instance-type'];
  const price = onDemandPrice(type);
  if (price === undefined) throw new Error(`the catalogue has no price for ${type}`);
  return price;
}

export const customKinds = { nodeClass: ec2NodeClasses, nodePool: nodePools };
