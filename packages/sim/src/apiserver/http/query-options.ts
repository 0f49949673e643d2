import type { FieldValidation } from '../kinds/served-kind.ts';
import { badRequest } from '../status/status-errors.ts';

export function fieldValidationOf(query: URLSearchParams): FieldValidation {
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
      throw badRequest(
        `fieldValidation: Unsupported value: "${value}": supported values: "Ignore", "Strict", "Warn"`,
      );
  }
}

export function isDryRun(query: URLSearchParams): boolean {
  const values = query.getAll('dryRun').filter((value) => value !== '');
  const unknown = values.find((value) => value !== 'All');
  if (unknown !== undefined) {
    throw badRequest(`dryRun: Unsupported value: "${unknown}": supported values: "All"`);
  }
  return values.length > 0;
}

const longestManager = 128;

/** Without a name of their own, writers are known by the first word of their user agent. */
export function managerOf(query: URLSearchParams, userAgent: string | undefined): string {
  const named = query.get('fieldManager');
  if (named) return named;
  return (userAgent ?? '').split('/')[0]?.slice(0, longestManager) || 'unknown';
}
