import { definitionFacts } from '../facts/definitions.ts';
import type { GoDefinition, GoType } from './go-type.ts';
import { type FindLine, indexLines, parseDefinition, parseType } from './notation.ts';

/** Definitions by full name; each is parsed from its notation on first use. */
export class Definitions {
  readonly #lines = new Map<string, { readonly text: string; readonly home: string }>();
  readonly #parsed = new Map<string, GoDefinition>();
  readonly #find: FindLine = (name) => this.#lines.get(name);

  constructor(notations: Readonly<Record<string, string>>) {
    for (const [home, notation] of Object.entries(notations)) {
      for (const [name, text] of indexLines(home, notation)) this.#lines.set(name, { text, home });
    }
  }

  get(name: string): GoDefinition {
    const known = this.#parsed.get(name);
    if (known) return known;
    const line = this.#lines.get(name);
    if (line === undefined) throw new Error(`no definition of ${name}`);
    const parsed = parseDefinition(name, line.text, { home: line.home, find: this.#find });
    this.#parsed.set(name, parsed);
    return parsed;
  }

  type(name: string): GoType {
    return parseType(name, '', this.#find);
  }
}

/**
 * Belongs to metrics-server rather than to the Kubernetes API server, so it is not among the generated facts.
 */
const metricsNotation = `
NodeMetrics { kind string; apiVersion string; metadata meta.v1.ObjectMeta; timestamp meta.v1.Time kept; window meta.v1.Duration kept; usage core.v1.ResourceList kept }
PodMetrics { kind string; apiVersion string; metadata meta.v1.ObjectMeta; timestamp meta.v1.Time kept; window meta.v1.Duration kept; containers []ContainerMetrics kept }
ContainerMetrics { name string kept; usage core.v1.ResourceList kept }
`;

export const builtInDefinitions = new Definitions({ ...definitionFacts, 'metrics.v1beta1': metricsNotation });
