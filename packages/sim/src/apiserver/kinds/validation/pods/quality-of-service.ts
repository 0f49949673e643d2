import type { JsonObject } from '@karpenter/core/schema';
import { objectAt, objectsAt, textsAt } from '../../draft.ts';
import { compareAmounts, isPositiveQuantity } from '../amounts.ts';

const counted = ['cpu', 'memory'];

type Amounts = Readonly<Record<string, string>>;

const positive = (amounts: Amounts): Amounts =>
  Object.fromEntries(
    Object.entries(amounts).filter(([name, amount]) => counted.includes(name) && isPositiveQuantity(amount)),
  );

/**
 * The QoS class: Guaranteed if everything is limited, Burstable if something is requested, BestEffort
 * otherwise.
 */
export function qualityOfService(pod: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const ofPod = objectAt(pod, 'spec', 'resources');
  const holders = ofPod
    ? [{ resources: ofPod }]
    : [...objectsAt(pod, 'spec', 'containers'), ...objectsAt(pod, 'spec', 'initContainers')];
  const amounts = holders.map((holder) => ({
    requests: positive(textsAt(holder, 'resources', 'requests')),
    limits: positive(textsAt(holder, 'resources', 'limits')),
  }));
  if (amounts.every(({ requests, limits }) => isNothing(requests) && isNothing(limits))) return 'BestEffort';
  return amounts.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

const isNothing = (amounts: Amounts) => Object.keys(amounts).length === 0;

function isGuaranteed({
  requests,
  limits,
}: {
  readonly requests: Amounts;
  readonly limits: Amounts;
}): boolean {
  return counted.every((name) => {
    const [request, limit] = [requests[name], limits[name]];
    return limit !== undefined && (request === undefined || compareAmounts(request, limit) === 0);
  });
}
