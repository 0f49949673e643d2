import { awsLegacyProvider } from '@karpenter/aws/conversion';
import { type ConversionWarning, provisionerNameLabel, renamedTaintKeys } from '@karpenter/core/conversion';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { TextEdits } from './text-edits.ts';

interface WorkloadWarning extends Pick<ConversionWarning, 'code' | 'sentence' | 'needsReview'> {
  /** Position in the text of the document. */
  readonly offset: number;
}

export interface EditedWorkloads {
  readonly text: string;
  readonly warnings: readonly WorkloadWarning[];
}

/**
 * Renames the keys of nodes and pods that changed with v1 wherever pods refer to them: labels, annotations, selectors,
 * affinity, spread constraints and tolerations, of any kind of object.
 */
export function editedWorkloads(document: Document, objects: readonly Node[], text: string): EditedWorkloads {
  const walk = new WorkloadWalk(document, text);
  for (const object of objects) walk.visit(object, []);
  return walk.finish();
}

const { renamedKeys, droppedLabels } = awsLegacyProvider;
const labelMaps = new Set(['labels', 'annotations', 'matchLabels', 'nodeSelector', 'selector']);

class WorkloadWalk {
  readonly #document: Document;
  readonly #text: string;
  readonly #edits: TextEdits;
  readonly #warnings: WorkloadWarning[] = [];
  readonly #visited = new Set<Node>();

  constructor(document: Document, text: string) {
    this.#document = document;
    this.#text = text;
    this.#edits = new TextEdits(text);
  }

  finish(): EditedWorkloads {
    return { text: this.#edits.isEmpty ? this.#text : this.#edits.applied(), warnings: this.#warnings };
  }

  visit(written: unknown, path: readonly string[]): void {
    const node = this.#resolved(written);
    if (node === undefined || this.#visited.has(node)) return;
    // Aliases lead to the same node again; its text exists once, so it is edited once.
    if (isMap(node) || isSeq(node)) this.#visited.add(node);
    if (isSeq(node)) for (const item of node.items) this.visit(item, path);
    if (isMap(node)) for (const pair of node.items) this.#pair(pair, path);
  }

  #pair(pair: Pair, path: readonly string[]): void {
    const name = isScalar(pair.key) ? String(pair.key.value) : '';
    const value = this.#resolved(pair.value);
    const inner = [...path, name];
    if (labelMaps.has(name) && isMap(value)) this.#labels(pair, value, inner);
    else if (name === 'matchExpressions' && isSeq(value)) this.#expressions(value, inner);
    else if (name === 'tolerations' && isSeq(value)) this.#taints(value, true);
    else if (name === 'taints' && isSeq(value)) this.#taints(value, false);
    else if (name === 'topologyKey' && isScalar(value)) this.#rename(value, inner);
    if (value !== undefined) this.visit(value, inner);
  }

  #rename(node: Scalar, path: readonly string[]): void {
    const renamed = renamedKeys.get(String(node.value));
    if (renamed === undefined) return;
    this.#edits.rename(node, renamed);
    if (path.includes('selector') && path[0] === 'spec') this.#warn(node, selectorRenamed);
  }

  /** Where the new key is there already, the old one is removed: a map must not have one key twice. */
  #labels(parent: Pair, map: YAMLMap, path: readonly string[]): void {
    const present = new Set(map.items.map((pair) => keyText(pair)));
    for (const pair of map.items) {
      const key = keyText(pair);
      const renamed = renamedKeys.get(key);
      if (droppedLabels.has(key)) this.#dropLabel(parent, map, pair);
      else if (renamed !== undefined && present.has(renamed)) this.#edits.remove(map, pair);
      else if (renamed !== undefined && isScalar(pair.key)) {
        present.add(renamed);
        this.#rename(pair.key, path);
      }
    }
  }

  #dropLabel(parent: Pair, map: YAMLMap, pair: Pair): void {
    if (map.items.length > 1) this.#edits.remove(map, pair);
    else this.#edits.empty(parent);
    this.#warn(pair.key as Node, labelDropped);
  }

  /** A selector term without expressions matches no node at all, so the last one stays for a person to decide. */
  #dropExpression(list: YAMLSeq, expression: YAMLMap): void {
    const isOnly = list.items.length === 1;
    if (!isOnly) this.#edits.remove(list, expression);
    this.#warn(expression, isOnly ? labelLeft : labelDropped);
  }

  #expressions(list: YAMLSeq, path: readonly string[]): void {
    const expressions = list.items.map((item) => this.#resolved(item)).filter(isMap);
    for (const expression of expressions) {
      const key = this.#field(expression, 'key');
      if (!isScalar(key)) continue;
      if (droppedLabels.has(String(key.value))) this.#dropExpression(list, expression);
      else if (this.#isAbsence(expression, key)) this.#addAbsence(list, { expression, key, expressions });
      else this.#rename(key, path);
    }
  }

  /** While old nodes exist, "not a Karpenter node" must exclude nodes of both labels. */
  #isAbsence(expression: YAMLMap, key: Scalar): boolean {
    const operator = this.#field(expression, 'operator');
    return key.value === provisionerNameLabel && isScalar(operator) && operator.value === 'DoesNotExist';
  }

  #addAbsence(list: YAMLSeq, { expression, key, expressions }: Absence): void {
    const renamed = renamedKeys.get(String(key.value));
    const isThere = expressions.some((each) => {
      const other = this.#field(each, 'key');
      return isScalar(other) && other.value === renamed;
    });
    if (renamed === undefined || isThere) return;
    this.#edits.repeatItem(list, expression, [String(key.value), renamed]);
    this.#warn(key, bothKept);
  }

  #taints(list: YAMLSeq, areTolerations: boolean): void {
    for (const item of list.items) {
      const taint = this.#resolved(item);
      const key = isMap(taint) ? this.#field(taint, 'key') : undefined;
      if (!isMap(taint) || !isScalar(key)) continue;
      if (key.value === 'node.kubernetes.io/unschedulable') this.#warn(key, unschedulable);
      const renamed = renamedTaintKeys.get(String(key.value));
      if (renamed === undefined) continue;
      this.#edits.rename(key, renamed);
      this.#dropTaintValue(taint, areTolerations);
    }
  }

  /** The taint of v1 has no value; a toleration that names one would not match it. */
  #dropTaintValue(taint: YAMLMap, isToleration: boolean): void {
    const value = taint.items.find((pair) => keyText(pair) === 'value');
    const operator = this.#field(taint, 'operator');
    if (isScalar(operator)) this.#edits.rename(operator, 'Exists');
    if (value === undefined) return;
    if (isToleration && !isScalar(operator)) this.#edits.replacePair(value, this.#operatorText(value));
    else this.#edits.remove(taint, value);
  }

  /** A double-quoted key may be part of a JSON document, which must stay one. */
  #operatorText({ key }: Pair): string {
    return isScalar(key) && key.type === 'QUOTE_DOUBLE' ? '"operator": "Exists"' : 'operator: Exists';
  }

  #field(map: YAMLMap, name: string): Node | undefined {
    return this.#resolved(map.get(name, true));
  }

  #resolved(value: unknown): Node | undefined {
    if (isAlias(value)) return value.resolve(this.#document);
    return isMap(value) || isSeq(value) || isScalar(value) ? value : undefined;
  }

  #warn(node: Node, warning: Omit<WorkloadWarning, 'offset'>): void {
    this.#warnings.push({ ...warning, offset: node.range?.[0] ?? 0 });
  }
}

interface Absence {
  readonly expression: YAMLMap;
  readonly key: Scalar;
  readonly expressions: readonly YAMLMap[];
}

function keyText({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}

const selectorRenamed = {
  code: 'selector-renamed',
  sentence:
    'a label in the selector is renamed, which workloads do not allow in place; delete and create the object, or keep the old label',
  needsReview: true,
} as const;

const labelDropped = {
  code: 'label-dropped',
  sentence: 'a condition on a label that nodes do not have any more is dropped, so pods may go to more nodes',
  needsReview: true,
} as const;

const labelLeft = {
  code: 'label-dropped',
  sentence:
    'nodes do not have this label any more and no node meets the condition; remove it by hand, it is the only one here',
  needsReview: true,
} as const;

const bothKept = {
  code: 'both-keys-kept',
  sentence:
    'the condition is there for both labels now; remove that on karpenter.sh/provisioner-name when no node of a Provisioner is left',
  needsReview: false,
} as const;

const unschedulable = {
  code: 'unschedulable-tolerated',
  sentence:
    'nodes that Karpenter removes have the taint karpenter.sh/disrupted instead of node.kubernetes.io/unschedulable; add a toleration if the pods must stay on them',
  needsReview: false,
} as const;
