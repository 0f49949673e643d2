import type { LogFields } from '@karpenter/core/ports';

/** What a log line says of a failure. A combined one also lists its parts. */
export function errorFields(error: unknown): LogFields {
  const causes = error instanceof AggregateError ? error.errors.map(textOf) : [];
  return { error: textOf(error), ...(causes.length === 0 ? {} : { errorCauses: causes }) };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
