import type { FieldValidation } from '../kinds/served-kind.ts';
import type { StatusError } from '../status/status-error.ts';
import { invalid, invalidOption } from '../status/status-errors.ts';
import type { Verb } from './request-info.ts';

/** The kind in error messages about query parameters of a write: each verb has its own options kind. */
function optionsKind(verb: Verb): string {
  switch (verb) {
    case 'update':
      return 'UpdateOptions';
    case 'patch':
      return 'PatchOptions';
    case 'delete':
    case 'deletecollection':
      return 'DeleteOptions';
    default:
      return 'CreateOptions';
  }
}

export function fieldValidationOf(verb: Verb, query: URLSearchParams): FieldValidation {
  const value = query.get('fieldValidation');
  switch (value) {
    case null:
    case '':
      return 'Warn';
    case 'Strict':
    case 'Warn':
    case 'Ignore':
      return value;
    default:
      throw invalidOption({
        options: optionsKind(verb),
        field: 'fieldValidation',
        value,
        supported: '"", "Ignore", "Strict", "Warn"',
      });
  }
}

export function isDryRun(verb: Verb, query: URLSearchParams): boolean {
  const values = query.getAll('dryRun').filter((value) => value !== '');
  if (values.some((value) => value !== 'All'))
    throw invalidOption({ options: optionsKind(verb), field: 'dryRun', value: values, supported: '"All"' });
  return values.length > 0;
}

const maxManagerLength = 128;

/** The field manager. It defaults to the user agent up to the first slash, as in kube-apiserver. */
export function managerOf(verb: Verb, query: URLSearchParams, userAgent: string | undefined): string {
  const named = query.get('fieldManager');
  if (named && named.length > maxManagerLength) throw longManager(verb);
  if (named) return named;
  return (userAgent ?? '').split('/')[0]?.slice(0, maxManagerLength) || 'unknown';
}

function longManager(verb: Verb): StatusError {
  const detail = `may not be more than ${maxManagerLength} bytes`;
  return invalid({ group: 'meta.k8s.io', kind: optionsKind(verb), name: '' }, [
    { type: 'TooLong', field: 'fieldManager', detail },
  ]);
}
