import { type FieldError, type Json, reportErrors } from '@karpenter/core/schema';
import { StatusError } from './status-error.ts';

/** The object that an error is about, for the message and for `details`. */
export interface StatusSubject {
  readonly group: string;
  readonly plural: string;
  readonly name: string;
}

/** Kubernetes' notation, `pods "x"` or `deployments.apps "x"`. */
function resourceText({ group, plural, name }: StatusSubject): string {
  return `${group === '' ? plural : `${plural}.${group}`} "${name}"`;
}

function detailsOf({ group, plural, name }: StatusSubject) {
  return { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: plural };
}

export function notFound(subject: StatusSubject): StatusError {
  return new StatusError(404, 'NotFound', `${resourceText(subject)} not found`, detailsOf(subject));
}

export function alreadyExists(subject: StatusSubject): StatusError {
  return new StatusError(409, 'AlreadyExists', `${resourceText(subject)} already exists`, detailsOf(subject));
}

export function conflict(subject: StatusSubject, why: string): StatusError {
  return new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${resourceText(subject)}: ${why}`,
    detailsOf(subject),
  );
}

export function forbidden(subject: StatusSubject, why: string): StatusError {
  return new StatusError(
    403,
    'Forbidden',
    `${resourceText(subject)} is forbidden: ${why}`,
    detailsOf(subject),
  );
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

interface InvalidOption {
  readonly options: string;
  readonly field: string;
  readonly value: Json;
  readonly supported: string;
}

/** For a query parameter, or a field of an options object, with an unsupported value. */
export function invalidOption({ options, field, value, supported }: InvalidOption): StatusError {
  const error: FieldError = { type: 'NotSupported', field, value, detail: `supported values: ${supported}` };
  return invalid({ group: 'meta.k8s.io', kind: options, name: '' }, [error]);
}

export function unsupportedPatchType(): StatusError {
  return new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  return new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}

export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

/** For paths in the API that have no handler. */
export function unknownPath(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

/**
 * 422 with all field errors. `details.kind` is the object's kind here, not its resource, as in
 * kube-apiserver.
 */
export function invalid(
  subject: { readonly group: string; readonly kind: string; readonly name: string },
  errors: readonly FieldError[],
): StatusError {
  const { group, kind, name } = subject;
  const { text, causes } = reportErrors(errors);
  return new StatusError(
    422,
    'Invalid',
    `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${text}`,
    {
      ...(name === '' ? {} : { name }),
      ...(group === '' ? {} : { group }),
      kind,
      causes,
    },
  );
}
