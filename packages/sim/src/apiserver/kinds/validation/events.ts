import type { FieldError, JsonObject } from '@karpenter/core/schema';
import { numberAt, objectAt, textAt, valueAt } from '../draft.ts';
import { invalid, required } from './field-errors.ts';
import { qualifiedName } from './names.ts';

/** An event is in the namespace of its object; an event about a cluster-scoped object is in `default`. */
export function event(object: JsonObject): readonly FieldError[] {
  return placeErrors(object, textAt(object, 'involvedObject', 'namespace'));
}

function placeErrors(object: JsonObject, involved: string): readonly FieldError[] {
  const home = textAt(object, 'metadata', 'namespace');
  const expected = home === 'default' && involved === '' ? '' : home;
  if (home === '' || involved === expected) return [];
  return [invalid('involvedObject.namespace', involved, 'does not match event.namespace')];
}

/** events.k8s.io validates more: event time, type, reporting controller and series. */
export function newEvent(object: JsonObject): readonly FieldError[] {
  const type = textAt(object, 'type');
  const controller = textAt(object, 'reportingController');
  const isKnown = type === 'Normal' || type === 'Warning';
  return [
    ...(textAt(object, 'regarding', 'namespace') === '' ? placeErrors(object, '') : []),
    ...(textAt(object, 'eventTime') === '' ? [required('eventTime')] : []),
    ...(isKnown ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...(controller === '' ? [] : qualifiedName('reportingController', controller)),
    ...seriesErrors(objectAt(object, 'series')),
    ...(numberAt(object, 'deprecatedCount') === undefined ? [] : [invalid('count', '', 'needs to be unset')]),
  ];
}

function seriesErrors(series: JsonObject | undefined): readonly FieldError[] {
  if (!series) return [];
  return [
    ...((numberAt(series, 'count') ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(valueAt(series, 'lastObservedTime') === null ? [required('series.lastObservedTime')] : []),
  ];
}
