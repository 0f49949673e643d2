import type { LogFields } from '@karpenter/core/ports';

/** The log fields of an error. An AggregateError also lists the messages of its errors. */
export function errorFields(error: unknown): LogFields {
  const causes = error instanceof AggregateError ? error.errors.map(textOf) : [];
  return { error: textOf(error), ...(causes.length === 0 ? {} : { errorCauses: causes }) };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
