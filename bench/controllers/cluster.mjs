import { setMaxListeners } from 'node:events';
import { installDefinitions } from '@karpenter/cli/embedded';
import { nodeClaims, nodePools } from '@karpenter/controllers';
import { onDemandPrice } from '@karpenter/ec2-catalogue';
import { CacheSet } from '@karpenter/kube/cache';
import { connect, kinds, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { startControlPlane } from '@karpenter/testkit/control-plane';
import { PodMoves } from './pod-moves.mjs';
import { processUsage } from './process-usage.mjs';

const isRunning = ({ metadata, status }) =>
  metadata.deletionTimestamp === undefined && status?.phase === 'Running';

const isPoolReady = ({ status }) =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

/**
 * A real control plane with an autoscaler on it, and the observations of both. kube-controller-manager and
 * kube-scheduler send so many requests a second: with their defaults of 20 and 50, creating 500 pods would take 25 s
 * and binding them 10 s, whatever the controllers do.
 */
export async function startCluster(startAutoscaler, requestsPerSecond) {
  const plane = await startControlPlane({ requestsPerSecond });
  const config = { server: plane.url, ca: plane.caPem, credentials: tokenCredentials(plane.token) };
  const client = connect(config, { qps: 1e6, burst: 1e6 });
  await installDefinitions(client);
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const caches = new CacheSet({ client, clock: systemClock, signal: ended.signal });
  const watched = [kinds.pod, kinds.node, nodeClaims, nodePools].map((kind) => caches.of(kind));
  const autoscaler = await startAutoscaler({ plane, client, caches });
  await Promise.all(watched.map((cache) => cache.waitForSync()));
  const [pods, nodes, claims, pools] = watched;
  return {
    client,
    start: async (budget) => {
      await autoscaler.createNodeClass();
      await client.create(nodePools, autoscaler.nodePool(budget));
    },
    isReady: () => pools.list().some(isPoolReady),
    changes: watchChanges({ pods, nodes, claims }),
    moves: watchMoves(pods),
    running: () => pods.list().filter(isRunning).length,
    nodes: () => nodes.list().length,
    claims: () => claims.list().length,
    dollarsPerHour: () => nodes.list().reduce((sum, node) => sum + priceOf(node), 0),
    usage: () => processUsage(autoscaler.pid),
    moreFacts: autoscaler.moreFacts,
    saveDecisions: autoscaler.saveDecisions ?? (async () => undefined),
    log: autoscaler.log,
    async stop() {
      await autoscaler.stop();
      ended.abort();
      await client.close();
      await plane.stop();
    },
  };
}

/**
 * The time of the last change: a node or NodeClaim created, deleted or gone, a pod created, gone or bound; and of the
 * last NodeClaim that got a deletion timestamp. After that EC2 takes half a minute to end an instance that is no longer
 * billed, and nothing else may happen in that time.
 */
function watchChanges({ pods, nodes, claims }) {
  const started = performance.now();
  const at = { last: started, lastDeletion: started };
  const note = () => {
    at.last = performance.now();
  };
  for (const cache of [nodes, claims])
    cache.subscribe((change) => {
      if (change.type !== 'modified' || isDeletion(change)) note();
    });
  claims.subscribe((change) => {
    if (change.type === 'modified' && isDeletion(change)) at.lastDeletion = performance.now();
  });
  pods.subscribe(({ type, object, previous }) => {
    if (type !== 'modified' || object.spec.nodeName !== previous.spec.nodeName) note();
  });
  return { last: () => at.last, lastDeletion: () => at.lastDeletion };
}

const isDeletion = ({ object, previous }) =>
  object.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp;

function watchMoves(pods) {
  const moves = new PodMoves();
  pods.subscribe(({ type, object }) => (type === 'added' ? moves.created(object) : moves.changed(object)));
  return { total: () => moves.total, most: () => moves.most(pods.list()) };
}

function priceOf({ metadata }) {
  const type = metadata.labels['node.kubernetes.io/instance-type'];
  const price = onDemandPrice(type);
  if (price === undefined) throw new Error(`the catalogue has no price for ${type}`);
  return price;
}
