import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** A PromQL query, parsed. */
export class Query {
  readonly text: string;
  readonly root: SyntaxNode;

  constructor(text: string) {
    this.text = text;
    this.root = parser.parse(text).topNode;
  }

  /** What the parser could not read; empty for a valid query. */
  get syntaxErrors(): readonly string[] {
    const errors: string[] = [];
    this.root.cursor().iterate(({ type, from, to }) => {
      if (type.isError) errors.push(`at ${from}: ${JSON.stringify(this.text.slice(from, to))}`);
    });
    return errors;
  }

  /** Matchers that select series with a constant value; those with a variable of Grafana depend on the user. */
  get selections(): readonly ValueMatcher[] {
    const found: ValueMatcher[] = [];
    this.root.cursor().iterate(({ node }) => {
      if (node.name === 'VectorSelector') found.push(...this.#selectionsOf(node));
    });
    return found;
  }

  #selectionsOf(selector: SyntaxNode): readonly ValueMatcher[] {
    const metric = this.#textOf(selector.getChild('Identifier'));
    const matchers = selector.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    return matchers.flatMap((matcher) => {
      const operator = this.#textOf(matcher.getChild('MatchOp'));
      const value = this.#textOf(matcher.getChild('StringLiteral')).slice(1, -1);
      if (!operator.startsWith('=') || value.startsWith('$')) return [];
      const label = this.#textOf(matcher.getChild('LabelName'));
      const pattern = operator === '=' ? value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&') : value;
      return [{ metric, label, pattern: new RegExp(`^(?:${pattern})$`) }];
    });
  }

  #textOf(node: SyntaxNode | null): string {
    return node === null ? '' : this.text.slice(node.from, node.to);
  }

  /** The labels of the series that it returns; `problems` lists metrics and labels that do not exist. */
  resultLabels(metrics: MetricLabels): { readonly labels: Labels; readonly problems: readonly string[] } {
    const inference = new LabelInference(this.text, metrics);
    const labels = inference.of(this.root.firstChild ?? this.root);
    return { labels, problems: inference.problems };
  }
}

/** A matcher of a selector: the series of the metric whose label matches the pattern. */
export interface ValueMatcher {
  readonly metric: string;
  readonly label: string;
  readonly pattern: RegExp;
}

type Labels = ReadonlySet<string>;
/** The labels of each series name, such as `x_bucket`; undefined for a metric that nobody reports. */
type MetricLabels = (name: string) => Labels | undefined;

const none: Labels = new Set();
/** Aggregations that return some of their input series unchanged. */
const selections = new Set(['Topk', 'Bottomk', 'LimitK']);
const setOperators = new Set(['And', 'Unless']);
/** Functions whose result has no labels, whatever the labels of their arguments are. */
const unlabelled = new Set(['Absent', 'AbsentOverTime', 'Vector', 'Time', 'Scalar']);

/** Follows labels from the metrics of a query through functions, aggregations and operators to its result. */
class LabelInference {
  readonly problems: string[] = [];
  readonly #text: string;
  readonly #metrics: MetricLabels;

  constructor(text: string, metrics: MetricLabels) {
    this.#text = text;
    this.#metrics = metrics;
  }

  /** Undefined for a scalar. */
  of(node: SyntaxNode): Labels {
    return this.#vector(node) ?? none;
  }

  #vector(node: SyntaxNode): Labels | undefined {
    switch (node.name) {
      case 'VectorSelector':
        return this.#selector(node);
      case 'FunctionCall':
        return this.#call(node);
      case 'AggregateExpr':
        return this.#aggregate(node);
      case 'BinaryExpr':
        return this.#binary(node);
      case 'NumberDurationLiteral':
      case 'StringLiteral':
        return undefined;
      default:
        return this.#operand(node);
    }
  }

  /** Of expressions with one operand: parentheses, ranges, offsets, subqueries, signs. */
  #operand(node: SyntaxNode): Labels | undefined {
    const inner = children(node).find(({ name }) => /(?:Expr|Selector|Call)$/.test(name));
    return inner === undefined || inner.name === 'DurationExpr' ? undefined : this.#vector(inner);
  }

  #selector(node: SyntaxNode): Labels {
    const name = this.#textOf(node.getChild('Identifier'));
    const labels = this.#metrics(name);
    if (labels === undefined) this.problems.push(`no run reports ${name}`);
    const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    const known = labels ?? none;
    this.#require(
      matchers.map((each) => this.#textOf(each.getChild('LabelName'))),
      known,
      name,
    );
    return known;
  }

  #call(node: SyntaxNode): Labels {
    const name = node.getChild('FunctionIdentifier')?.firstChild?.name ?? '';
    const args = children(node.getChild('FunctionCallBody')).map((arg) => this.#vector(arg));
    if (unlabelled.has(name)) return none;
    const labels = args.find((arg) => arg !== undefined) ?? none;
    if (name !== 'HistogramQuantile') return labels;
    this.#require(['le'], labels, 'the argument of histogram_quantile');
    return new Set([...labels].filter((label) => label !== 'le'));
  }

  #aggregate(node: SyntaxNode): Labels {
    const operator = node.getChild('AggregateOp')?.firstChild?.name ?? '';
    const args = children(node.getChild('FunctionCallBody')).map((arg) => this.#vector(arg));
    const labels = args.find((arg) => arg !== undefined) ?? none;
    const modifier = node.getChild('AggregateModifier');
    const grouping = this.#groupingOf(modifier);
    this.#require(grouping, labels, `the argument of ${operator}`);
    if (modifier === null) return selections.has(operator) ? labels : none;
    if (selections.has(operator)) return labels;
    if (modifier.getChild('By') !== null) return new Set(grouping);
    return new Set([...labels].filter((label) => !grouping.includes(label)));
  }

  #binary(node: SyntaxNode): Labels | undefined {
    const [left, right] = this.#sidesOf(node);
    if (left === undefined || right === undefined) return left ?? right;
    if (node.getChild('Or') !== null) return left;
    const matching = node.getChild('MatchingModifierClause');
    const isSet = children(node).some(({ name }) => setOperators.has(name));
    if (matching === null) {
      if (!sameLabels(left, right))
        this.problems.push(`no series match in ${this.#textOf(node)}: [${[...left]}] and [${[...right]}]`);
      return left;
    }
    const on = this.#groupingOf(matching);
    for (const side of [left, right]) this.#require(on, side, this.#textOf(node));
    return isSet ? left : new Set(on);
  }

  #sidesOf(node: SyntaxNode): readonly [Labels | undefined, Labels | undefined] {
    const [first, last] = [node.firstChild, node.lastChild];
    return [first === null ? undefined : this.#vector(first), last === null ? undefined : this.#vector(last)];
  }

  #groupingOf(node: SyntaxNode | null): readonly string[] {
    const [grouping] = node?.getChildren('GroupingLabels') ?? [];
    return (grouping?.getChildren('LabelName') ?? []).map((label) => this.#textOf(label));
  }

  #require(wanted: readonly string[], labels: Labels, where: string): void {
    for (const label of wanted) if (!labels.has(label)) this.problems.push(`${where} has no label ${label}`);
  }

  #textOf(node: SyntaxNode | null): string {
    return node === null ? '' : this.#text.slice(node.from, node.to);
  }
}

function children(node: SyntaxNode | null): readonly SyntaxNode[] {
  const all: SyntaxNode[] = [];
  for (let child = node?.firstChild ?? null; child !== null; child = child.nextSibling) all.push(child);
  return all;
}

function sameLabels(left: Labels, right: Labels): boolean {
  return left.size === right.size && [...left].every((label) => right.has(label));
}
