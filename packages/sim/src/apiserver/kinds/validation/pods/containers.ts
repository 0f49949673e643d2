import { type FieldError, itemPath, type Json, type JsonObject } from '@karpenter/core/schema';
import { flagAt, numberAt, objectAt, objectsAt, textAt, valueAt } from '../../draft.ts';
import { duplicate, invalid, oneOf, portNumber, problemsAt, repeated, required } from '../field-errors.ts';
import { strictLabel } from '../names.ts';
import { environment } from './environment.ts';
import { lifecycle, portNameProblems, probe } from './handlers.ts';
import { resourceRequirements } from './resources.ts';

const protocols = ['SCTP', 'TCP', 'UDP'];

export interface ContainerContext {
  readonly volumes: ReadonlySet<string>;
  readonly isHostNetwork: boolean;
  readonly isInit: boolean;
}

export function containers(
  field: string,
  spec: Json,
  list: readonly JsonObject[],
  context: ContainerContext,
): readonly FieldError[] {
  const names = list.map((container) => textAt(container, 'name'));
  const before = new Set(
    context.isInit ? objectsAt(spec, 'containers').map((container) => textAt(container, 'name')) : [],
  );
  return [
    ...list.flatMap((container, index) => containerErrors(itemPath(field, index), container, context)),
    ...repeated(field, names),
    ...names.flatMap((name, index) =>
      name !== '' && before.has(name) ? [duplicate(`${itemPath(field, index)}.name`, name)] : [],
    ),
  ];
}

function containerErrors(
  field: string,
  container: JsonObject,
  context: ContainerContext,
): readonly FieldError[] {
  const name = textAt(container, 'name');
  return [
    ...(name === '' ? [required(`${field}.name`)] : strictLabel(`${field}.name`, name)),
    ...imageErrors(`${field}.image`, textAt(container, 'image')),
    ...portErrors(`${field}.ports`, container, context.isHostNetwork),
    ...environment(`${field}.env`, container),
    ...mountErrors(`${field}.volumeMounts`, container, context.volumes),
    ...oneOf(`${field}.imagePullPolicy`, valueAt(container, 'imagePullPolicy'), [
      'Always',
      'IfNotPresent',
      'Never',
    ]),
    ...resourceRequirements(`${field}.resources`, valueAt(container, 'resources')),
    ...lifecycle(`${field}.lifecycle`, valueAt(container, 'lifecycle')),
    ...probes(field, container, context.isInit),
    ...restartErrors(`${field}.restartPolicy`, valueAt(container, 'restartPolicy')),
    ...oneOf(`${field}.terminationMessagePolicy`, valueAt(container, 'terminationMessagePolicy'), [
      'FallbackToLogsOnError',
      'File',
    ]),
  ];
}

function restartErrors(field: string, policy: Json | undefined): readonly FieldError[] {
  return oneOf(field, policy, ['Always', 'Never', 'OnFailure']);
}

function imageErrors(field: string, image: string): readonly FieldError[] {
  if (image === '') return [required(field)];
  return image === image.trim()
    ? []
    : [invalid(field, image, 'must not have leading or trailing whitespace')];
}

/** Init containers exit before the others start, so only restartable ones (sidecars) may have probes. */
function probes(field: string, container: JsonObject, isInit: boolean): readonly FieldError[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
    const value = objectAt(container, name);
    if (!value) return [];
    const path = `${field}.${name}`;
    const mayProbe = !isInit || textAt(container, 'restartPolicy') === 'Always';
    if (!mayProbe) {
      return [
        {
          type: 'Forbidden' as const,
          field: path,
          detail: 'may not be set for init containers without restartPolicy=Always',
        },
      ];
    }
    return probe(path, value, name !== 'readinessProbe');
  });
}

function portErrors(field: string, container: JsonObject, isHostNetwork: boolean): readonly FieldError[] {
  const ports = objectsAt(container, 'ports');
  return [
    ...ports.flatMap((port, index) => onePort(itemPath(field, index), port, isHostNetwork)),
    ...repeated(
      field,
      ports.map((port) => textAt(port, 'name')),
    ),
  ];
}

function onePort(field: string, port: JsonObject, isHostNetwork: boolean): readonly FieldError[] {
  const name = textAt(port, 'name');
  const number = numberAt(port, 'containerPort') ?? 0;
  const hostPort = numberAt(port, 'hostPort') ?? 0;
  const mismatch = 'must match `containerPort` when `hostNetwork` is true';
  return [
    ...(name === '' ? [] : problemsAt(`${field}.name`, name, portNameProblems(name))),
    ...(number === 0 ? [required(`${field}.containerPort`)] : portNumber(`${field}.containerPort`, number)),
    ...(hostPort === 0 ? [] : portNumber(`${field}.hostPort`, hostPort)),
    ...oneOf(`${field}.protocol`, valueAt(port, 'protocol'), protocols),
    // A template may leave it out: its pods get it by default, so there it is never missing.
    ...(isHostNetwork && hostPort !== 0 && hostPort !== number
      ? [invalid(`${field}.hostPort`, hostPort, mismatch)]
      : []),
  ];
}

/** Host ports that two containers of a pod both request. */
export function hostPortConflicts(field: string, list: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return list.flatMap((container, index) =>
    objectsAt(container, 'ports').flatMap((port, place) => {
      const number = numberAt(port, 'hostPort') ?? 0;
      if (number === 0) return [];
      const text = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${number}`;
      const isTaken = seen.has(text);
      seen.add(text);
      return isTaken
        ? [duplicate(`${itemPath(`${itemPath(field, index)}.ports`, place)}.hostPort`, text)]
        : [];
    }),
  );
}

function mountErrors(
  field: string,
  container: JsonObject,
  volumes: ReadonlySet<string>,
): readonly FieldError[] {
  const mounts = objectsAt(container, 'volumeMounts');
  const seen = new Set<string>();
  return mounts.flatMap((mount, index) => {
    const path = itemPath(field, index);
    const mountPath = textAt(mount, 'mountPath');
    const isRepeated = mountPath !== '' && seen.has(mountPath);
    seen.add(mountPath);
    return [
      ...mountedVolume(path, textAt(mount, 'name'), volumes),
      ...(mountPath === '' ? [required(`${path}.mountPath`)] : []),
      ...(isRepeated ? [invalid(`${path}.mountPath`, mountPath, 'must be unique')] : []),
      ...subPathErrors(path, mount),
    ];
  });
}

function mountedVolume(field: string, name: string, volumes: ReadonlySet<string>): readonly FieldError[] {
  if (name === '') return [required(`${field}.name`)];
  return volumes.has(name) ? [] : [{ type: 'NotFound', field: `${field}.name`, value: name }];
}

function subPathErrors(field: string, mount: JsonObject): readonly FieldError[] {
  const subPath = textAt(mount, 'subPath');
  const isReadOnly = flagAt(mount, 'readOnly');
  const recursive = textAt(mount, 'recursiveReadOnly');
  return [
    ...(subPath.startsWith('/') ? [invalid(`${field}.subPath`, subPath, 'must be a relative path')] : []),
    ...(subPath.split('/').includes('..')
      ? [invalid(`${field}.subPath`, subPath, "must not contain '..'")]
      : []),
    ...(recursive !== '' && recursive !== 'Disabled' && !isReadOnly
      ? [
          {
            type: 'Forbidden' as const,
            field: `${field}.recursiveReadOnly`,
            detail: `may only be specified when readOnly is true`,
          },
        ]
      : []),
  ];
}
