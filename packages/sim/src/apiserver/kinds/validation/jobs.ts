import type { FieldError, JsonObject } from '@karpenter/core/schema';
import { numberAt, objectAt, textAt, textsAt, valueAt } from '../draft.ts';
import { invalid, nonNegative, oneOf, required, unchanged } from './field-errors.ts';
import { labelSelector, selects } from './selectors.ts';
import { podTemplate } from './workloads.ts';

const numbers = (field: string, spec: JsonObject | undefined, ...names: readonly string[]) =>
  names.flatMap((name) => nonNegative(`${field}.${name}`, valueAt(spec, name)));

function jobSpec(field: string, spec: JsonObject | undefined): readonly FieldError[] {
  const mode = valueAt(spec, 'completionMode');
  const needsCompletions = mode === 'Indexed' && numberAt(spec, 'completions') === undefined;
  return [
    ...numbers(
      field,
      spec,
      'parallelism',
      'completions',
      'activeDeadlineSeconds',
      'backoffLimit',
      'ttlSecondsAfterFinished',
      'backoffLimitPerIndex',
    ),
    ...oneOf(`${field}.completionMode`, mode, ['NonIndexed', 'Indexed']),
    ...(needsCompletions ? [required(`${field}.completions`, 'when completion mode is Indexed')] : []),
    ...podTemplate(`${field}.template`, objectAt(spec, 'template')),
    ...endingTemplate(
      `${field}.template.spec.restartPolicy`,
      textAt(spec, 'template', 'spec', 'restartPolicy'),
    ),
  ];
}

/** A job completes when its pods do, so their restart policy must let them complete. */
function endingTemplate(field: string, policy: string): readonly FieldError[] {
  if (policy === 'Always') return [required(field, 'valid values: "OnFailure", "Never"')];
  return [];
}

export function job(object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec');
  return [...jobSpec('spec', spec), ...jobSelector(object, spec)];
}

/** A job's selector derives from its uid, unless `manualSelector` is set. */
function jobSelector(object: JsonObject, spec: JsonObject | undefined): readonly FieldError[] {
  const selector = valueAt(spec, 'selector');
  const uid = textAt(object, 'metadata', 'uid');
  const labels = textsAt(spec, 'template', 'metadata', 'labels');
  const isOwn = Object.keys(textsAt(selector, 'matchLabels')).every(
    (key) => key === 'batch.kubernetes.io/controller-uid' || key === 'controller-uid',
  );
  const isGenerated =
    valueAt(spec, 'manualSelector') === true ||
    (isOwn && valueAt(selector, 'matchExpressions') === undefined);
  const errors = labelSelector('spec.selector', selector);
  if (selector === undefined) return uid === '' ? [] : [required('spec.selector')];
  return [
    ...errors,
    ...(isGenerated ? [] : [invalid('spec.selector', selector, '`selector` not auto-generated')]),
    ...(errors.length > 0 || selects(selector, labels)
      ? []
      : [invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')]),
  ];
}

export function jobUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const isSuspended = valueAt(old, 'spec', 'suspend') === true;
  const fixed = isSuspended
    ? ['selector', 'completionMode']
    : ['selector', 'template', 'completionMode', 'podFailurePolicy', 'backoffLimitPerIndex'];
  const indexed = textAt(old, 'spec', 'completionMode') === 'Indexed';
  return [
    ...(indexed
      ? []
      : unchanged(
          'spec.completions',
          valueAt(object, 'spec', 'completions'),
          valueAt(old, 'spec', 'completions'),
        )),
    ...fixed.flatMap((name) =>
      unchanged(`spec.${name}`, valueAt(object, 'spec', name), valueAt(old, 'spec', name)),
    ),
  ];
}

export function cronJob(object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec');
  return [
    ...scheduleErrors('spec.schedule', textAt(spec, 'schedule')),
    ...numbers(
      'spec',
      spec,
      'startingDeadlineSeconds',
      'successfulJobsHistoryLimit',
      'failedJobsHistoryLimit',
    ),
    ...oneOf('spec.concurrencyPolicy', valueAt(spec, 'concurrencyPolicy'), ['Allow', 'Forbid', 'Replace']),
    ...timeZoneErrors('spec.timeZone', valueAt(spec, 'timeZone')),
    ...jobSpec('spec.jobTemplate.spec', objectAt(spec, 'jobTemplate', 'spec')),
  ];
}

function scheduleErrors(field: string, schedule: string): readonly FieldError[] {
  if (schedule === '') return [required(field)];
  if (schedule.startsWith('@')) return [];
  const words = schedule.trim().split(/\s+/);
  if (words.length === 5) return [];
  return [invalid(field, schedule, `expected exactly 5 fields, found ${words.length}: [${words.join(' ')}]`)];
}

function timeZoneErrors(field: string, zone: JsonObject[string] | undefined): readonly FieldError[] {
  if (typeof zone !== 'string') return [];
  if (zone === '') return [invalid(field, zone, 'timeZone must be nil or non-empty string')];
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return [];
  } catch {
    return [invalid(field, zone, `unknown time zone ${zone}`)];
  }
}
