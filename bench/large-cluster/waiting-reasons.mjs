import { kinds } from '@karpenter/kube/client';

/** Why pods have no node, by name: what the last event about each says. */
export async function waitingReasons(client, names) {
  const reasons = new Map();
  for (const name of names) {
    const fieldSelector = `involvedObject.kind=Pod,involvedObject.name=${name}`;
    const { items } = await client.list(kinds.event, { namespace: 'default', fieldSelector });
    const [last] = items.sort((a, b) => momentOf(b).localeCompare(momentOf(a)));
    reasons.set(name, last === undefined ? 'no event' : `${last.reason}: ${last.message}`);
  }
  return reasons;
}

const momentOf = ({ eventTime, lastTimestamp, metadata }) =>
  eventTime ?? lastTimestamp ?? metadata.creationTimestamp ?? '';
