import { Refusal } from '../../cloud/index.ts';

/** Deeper than any parameter of AWS. */
const maxSegments = 32;

/** The parameters of a request as a tree: `Filter.1.Name=x` is the text under Filter, 1 and Name. */
export class QueryNode {
  readonly #children = new Map<string, QueryNode>();
  #text: string | undefined;
  #isRead = false;

  static of(parameters: Iterable<readonly [string, string]>): QueryNode {
    const root = new QueryNode();
    for (const [name, text] of parameters) root.#set(name, text);
    return root;
  }

  get text(): string | undefined {
    this.#isRead = true;
    return this.#text;
  }

  child(name: string): QueryNode | undefined {
    return this.#children.get(name);
  }

  /** The elements of a list in their order; numbers may have gaps. */
  elements(): readonly QueryNode[] {
    this.#isRead = true;
    return [...this.#children]
      .filter(([name]) => /^\d+$/.test(name))
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, node]) => node);
  }

  /** The name of a parameter that the operation did not read. */
  unread(): string | undefined {
    if (this.#text !== undefined && !this.#isRead) return '';
    for (const [name, node] of this.#children) {
      const below = node.unread();
      if (below !== undefined) return below === '' ? name : `${name}.${below}`;
    }
    return undefined;
  }

  #set(name: string, text: string): void {
    const segments = name.split('.');
    if (segments.length > maxSegments)
      throw new Refusal('MalformedQueryString', `The parameter ${name.slice(0, 80)} is nested too deeply`);
    let node: QueryNode = this;
    for (const segment of segments) {
      const next = node.#children.get(segment) ?? new QueryNode();
      node.#children.set(segment, next);
      node = next;
    }
    node.#text = text;
  }
}
