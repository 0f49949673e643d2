import { setMaxListeners } from 'node:events';
import { startWatchCache } from '@karpenter/kube/cache';
import { isNotFound, kinds } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { setStatus } from './loaded-cluster.mjs';
import { needsNewNode, unschedulable } from './manifests.mjs';
import { NodeRoom } from './node-room.mjs';

const isReady = ({ spec, status }) =>
  spec.unschedulable !== true &&
  !spec.taints?.length &&
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');

const retryMs = 1_000;

const labelSelector = Object.entries(needsNewNode)
  .map(([key, value]) => `${key}=${value}`)
  .join(',');

/**
 * Pods that need new nodes, and a scheduler for only these: it binds them once a node with room is ready. The
 * kubelets of the account run them.
 */
export function startPodsForNewNodes({ client }, inheritedNames) {
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const watching = { client, clock: systemClock, signal: ended.signal };
  const nodes = startWatchCache({ ...watching, kind: kinds.node });
  const pods = startWatchCache({ ...watching, kind: kinds.pod, selection: { labelSelector } });
  const room = new NodeRoom();
  /** By name: when each was created, bound and seen running. */
  const times = new Map();
  const waiting = new Map();

  nodes.subscribe(({ type, object }) => {
    const { name } = object.metadata;
    if (inheritedNames.has(name)) return;
    if (type === 'deleted' || object.metadata.deletionTimestamp !== undefined) room.removeNode(name);
    else if (isReady(object)) room.addNode(name, object.status.allocatable);
    bindWaiting();
  });
  pods.subscribe(({ type, object: { metadata, status } }) => {
    if (type === 'deleted') {
      room.release(metadata.name);
      bindWaiting();
    } else if (status?.phase === 'Running') note(metadata.name, 'running');
  });

  function note(name, moment) {
    const known = times.get(name);
    if (known !== undefined) known[moment] ??= performance.now();
  }

  function bindWaiting() {
    for (const [name, pod] of waiting) {
      const node = room.reserve(name, pod.spec.containers[0].resources.requests);
      if (node === undefined) continue;
      waiting.delete(name);
      client.bind({ namespace: pod.metadata.namespace, name }, node).then(
        () => note(name, 'bound'),
        (error) => {
          room.release(name);
          if (isNotFound(error)) return;
          waiting.set(name, pod);
          // As the kube-scheduler, which tries a pod again when a binding has failed; no other event may follow.
          setTimeout(bindWaiting, retryMs).unref();
        },
      );
    }
  }

  return {
    async add(pod) {
      const { name } = pod.metadata;
      times.set(name, { created: performance.now() });
      await client.create(kinds.pod, pod);
      await setStatus(client, kinds.pod, pod.metadata, unschedulable);
      waiting.set(name, pod);
      bindWaiting();
    },
    times: () => times,
    waiting: () => [...waiting.keys()],
    isRunning: (name) => times.get(name)?.running !== undefined,
    stop: () => ended.abort(),
  };
}
