import type { QueryNode } from './query-tree.ts';
import { scalarFrom } from './scalars.ts';
import { hasTrait, traitText, type WireShape } from './shape.ts';

/** EC2 names parameters in its own way and has flat lists only. */
export type QueryDialect = 'ec2' | 'query';

/** Converts parameters of the query protocols to the input of an operation. */
export class QueryShapes {
  readonly #dialect: QueryDialect;

  constructor(dialect: QueryDialect) {
    this.#dialect = dialect;
  }

  struct(shape: WireShape, node: QueryNode): Record<string, unknown> {
    const members: [string, unknown][] = [];
    for (const [member, target] of shape.structIterator()) {
      const name = this.#nameOf(member, target);
      const child = node.child(name);
      if (child !== undefined) members.push([member, this.#value(target, child, name)]);
    }
    return Object.fromEntries(members);
  }

  #value(shape: WireShape, node: QueryNode, name: string): unknown {
    if (shape.isStructSchema()) return this.struct(shape, node);
    if (shape.isListSchema()) return this.#list(shape, node, name);
    if (shape.isMapSchema()) return this.#map(shape, node, name);
    return scalarFrom(shape, node.text ?? '', name);
  }

  #list(shape: WireShape, node: QueryNode, name: string): unknown[] {
    const element = shape.getValueSchema();
    const isFlat = this.#dialect === 'ec2' || hasTrait(shape, 'xmlFlattened');
    const parent = isFlat ? node : node.child(traitText(element, 'xmlName') ?? 'member');
    // A parameter without a value is an empty list, so its text counts as read.
    if (node.text === undefined || node.text === '')
      return (parent?.elements() ?? []).map((each) => this.#value(element, each, name));
    return [this.#value(element, node, name)];
  }

  #map(shape: WireShape, node: QueryNode, name: string): Record<string, unknown> {
    const [key, value] = [shape.getKeySchema(), shape.getValueSchema()];
    const parent = hasTrait(shape, 'xmlFlattened') ? node : node.child('entry');
    const entries = (parent?.elements() ?? []).map((entry): [string, unknown] => {
      const found = entry.child(traitText(value, 'xmlName') ?? 'value');
      return [
        entry.child(traitText(key, 'xmlName') ?? 'key')?.text ?? '',
        found === undefined ? undefined : this.#value(value, found, name),
      ];
    });
    return Object.fromEntries(entries);
  }

  #nameOf(member: string, target: WireShape): string {
    const name = traitText(target, 'xmlName') ?? member;
    if (this.#dialect === 'query') return name;
    return traitText(target, 'ec2QueryName') ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  }
}
