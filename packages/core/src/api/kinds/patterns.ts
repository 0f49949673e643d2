/** A label key or taint key: an optional DNS prefix and a name. */
export const qualifiedNamePattern =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$';

export const labelValuePattern = '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$';

export const durationPattern = '^([0-9]+(s|m|h))+$';
export const nillableDurationPattern = '^(([0-9]+(s|m|h))+|Never)$';

export const budgetNodesPattern = '^((100|[0-9]{1,2})%|[0-9]+)$';
export const budgetSchedulePattern =
  '^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$';
export const budgetDurationPattern = '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$';
