import { type DefaultSpreadConstraint, parseSchedulerConfig } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import { parseYaml } from '@karpenter/kube/yaml';

/** Parses the default spread constraints from the text of the setting `scheduler-config`. Throws `invalid-setting`. */
export function defaultConstraintsOf(text: string): readonly DefaultSpreadConstraint[] {
  return parseSchedulerConfig(parsed(text)).defaultConstraints;
}

function parsed(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : '';
    throw new CodedError('invalid-setting', `scheduler-config: not valid YAML: ${problem}`, { cause });
  }
}
