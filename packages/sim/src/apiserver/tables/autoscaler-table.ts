import type { Json, JsonObject } from '@karpenter/core/schema';
import { objectAt, objectsAt, textAt, valueAt } from '../kinds/draft.ts';
import { age, column, count, name, shortList, table } from './columns.ts';

const shownMetrics = 2;

/** Field of each metric type in spec and status. */
const places: Readonly<Record<string, { readonly field: string; readonly isNamed: boolean }>> = {
  External: { field: 'external', isNamed: false },
  Pods: { field: 'pods', isNamed: false },
  Object: { field: 'object', isNamed: false },
  Resource: { field: 'resource', isNamed: true },
  ContainerResource: { field: 'containerResource', isNamed: true },
};

function metricText(spec: JsonObject, status: JsonObject | undefined): string {
  const place = places[textAt(spec, 'type')];
  if (!place) return '<unknown type>';
  const metric = objectAt(spec, place.field);
  const target = objectAt(metric, 'target');
  const current = objectAt(status, place.field, 'current');
  const measure = measureOf(target, place.isNamed);
  const share = `${shown(current, measure, '<unknown>')}/${shown(target, measure, '<auto>')}`;
  if (place.isNamed) return `${textAt(metric, 'name')}: ${share}`;
  return measure === 'averageValue' && place.field !== 'pods' ? `${share} (avg)` : share;
}

function measureOf(target: JsonObject | undefined, isNamed: boolean): string {
  if (target?.['averageValue'] !== undefined) return 'averageValue';
  return isNamed ? 'averageUtilization' : 'value';
}

function shown(values: JsonObject | undefined, measure: string, none: string): string {
  const value: Json | undefined = valueAt(values, measure);
  if (value === undefined) return none;
  return measure === 'averageUtilization' ? `${value}%` : String(value);
}

function targetsText(autoscaler: JsonObject): string {
  const statuses = objectsAt(autoscaler, 'status', 'currentMetrics');
  const texts = objectsAt(autoscaler, 'spec', 'metrics').map((spec, index) =>
    metricText(spec, statuses[index]),
  );
  return texts.length === 0 ? '<none>' : shortList(texts, shownMetrics, ', ');
}

export const autoscalerTable = table(
  name,
  column('Reference', (autoscaler) => {
    const target = objectAt(autoscaler, 'spec', 'scaleTargetRef');
    return `${textAt(target, 'kind')}/${textAt(target, 'name')}`;
  }),
  column('Targets', targetsText),
  column('MinPods', (autoscaler) => String(valueAt(autoscaler, 'spec', 'minReplicas') ?? '<unset>')),
  column('MaxPods', count('spec.maxReplicas')),
  column('Replicas', count('status.currentReplicas')),
  age,
);
