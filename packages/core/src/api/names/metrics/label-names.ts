/**
 * The metric label for a node label, without its domain: `karpenter.sh/capacity-type` gives `capacity_type`.
 */
export function shortMetricLabel(labelKey: string): string {
  return snakeCase(labelKey.slice(labelKey.lastIndexOf('/') + 1));
}

/**
 * The metric label for a node label, with its domain: `karpenter.sh/nodepool` gives `karpenter_sh_nodepool`.
 */
export function fullMetricLabel(labelKey: string): string {
  return snakeCase(labelKey);
}

/** A CamelCase word as a metric label value: `WhenEmpty` gives `when_empty`. */
export function metricLabelValue(word: string): string {
  return word.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

function snakeCase(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '_');
}
