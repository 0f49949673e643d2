import { type DefaultSpreadConstraint, parseSchedulerConfig } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import { parseDocument } from 'yaml';

/** Parses the default spread constraints from the text of the setting `scheduler-config`. Throws `invalid-setting`. */
export function defaultConstraintsOf(text: string): readonly DefaultSpreadConstraint[] {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    const [problem = ''] = error.message.split('\n');
    throw new CodedError('invalid-setting', `scheduler-config: not valid YAML: ${problem}`, { cause: error });
  }
  return parseSchedulerConfig(document.toJS()).defaultConstraints;
}
