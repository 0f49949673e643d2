// Where single pods may run: labels and taints. What these functions do not understand they allow, because a bound
// may assume too much freedom and never too little.

const operators = {
  In: (value, values) => values.includes(value),
  NotIn: (value, values) => !values.includes(value),
  Exists: () => true,
  DoesNotExist: () => false,
  Gt: (value, [least]) => Number(value) > Number(least),
  Gte: (value, [least]) => Number(value) >= Number(least),
  Lt: (value, [most]) => Number(value) < Number(most),
  Lte: (value, [most]) => Number(value) <= Number(most),
};

/** Whether a node may match all expressions. A label that is not known yet may get any value. */
export const matchesAll = (labels, expressions) =>
  expressions.every(({ key, operator, values = [] }) => {
    const value = labels[key];
    return value === undefined || operators[operator](value, values);
  });

/** Whether labels of a pod match a selector, exactly. A selector that is not set matches no pod. */
export function selects(selector, labels = {}) {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) =>
      labels[key] === undefined
        ? operator === 'NotIn' || operator === 'DoesNotExist'
        : operators[operator](labels[key], values),
    )
  );
}

/** Rules of a pod on the node itself: node selector, required node affinity and tolerations. */
export function nodeRulesOf({ spec }) {
  const { nodeSelector = {}, affinity, tolerations = [] } = spec;
  const selected = Object.entries(nodeSelector).map(([key, value]) => ({
    key,
    operator: 'In',
    values: [value],
  }));
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const alternatives = terms?.map(({ matchExpressions = [] }) => matchExpressions) ?? [[]];
  return { alternatives: alternatives.map((term) => [...selected, ...term]), tolerations };
}

/** Startup taints and soft taints keep no pod away. */
const isHard = ({ effect }) => effect !== 'PreferNoSchedule';

const tolerates = (tolerations, taint) =>
  tolerations.some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (key === undefined || key === '' || key === taint.key) &&
      (effect === undefined || effect === '' || effect === taint.effect) &&
      (operator !== 'Equal' || value === (taint.value ?? '')),
  );

export const allowsRules = ({ labels, taints }, { alternatives, tolerations }) =>
  alternatives.some((expressions) => matchesAll(labels, expressions)) &&
  taints.filter(isHard).every((taint) => tolerates(tolerations, taint));
