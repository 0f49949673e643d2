import { setMaxListeners } from 'node:events';
import { CacheSet } from '@karpenter/kube/cache';
import { kinds } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { setStatus } from './loaded-cluster.mjs';
import { largePod, largePodCpus, unschedulable } from './manifests.mjs';

const isReady = ({ spec, status }) =>
  spec.unschedulable !== true &&
  !spec.taints?.length &&
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');

/** Pods that need new nodes, and a scheduler for only these: it binds them once a node with room is ready. */
export function startLargePods({ client, owners }, inheritedNames) {
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const nodes = new CacheSet({ client, clock: systemClock, signal: ended.signal }).of(kinds.node);
  const room = new Map();
  const waiting = [];
  let made = 0;
  let bound = 0;

  nodes.subscribe(({ type, object }) => {
    const { name } = object.metadata;
    if (inheritedNames.has(name)) return;
    if (type === 'deleted' || object.metadata.deletionTimestamp !== undefined) room.delete(name);
    else if (isReady(object) && !room.has(name)) {
      room.set(name, Math.floor(Number.parseInt(object.status.capacity.cpu, 10) / largePodCpus));
    }
    bindWaiting();
  });

  function bindWaiting() {
    for (const [name, left] of room) {
      for (let slot = left; slot > 0 && waiting.length > 0; slot -= 1) {
        room.set(name, slot - 1);
        const key = waiting.shift();
        client.bind(key, name).then(
          () => {
            bound += 1;
          },
          () => waiting.push(key),
        );
      }
    }
  }

  return {
    counts: () => ({ made, bound }),
    async add() {
      const object = largePod(made++, owners);
      const { namespace, name } = object.metadata;
      await client.create(kinds.pod, object);
      await setStatus(client, kinds.pod, object.metadata, unschedulable);
      waiting.push({ namespace, name });
      bindWaiting();
    },
    stop: () => ended.abort(),
  };
}
