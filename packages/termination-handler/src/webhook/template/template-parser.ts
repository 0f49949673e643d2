import { PipelineParser } from './pipeline-parser.ts';
import { templateError } from './template-error.ts';
import { splitTemplate, type TemplatePart, type Word } from './template-lexer.ts';
import type { TemplateNode } from './template-tree.ts';

const unsupported: ReadonlySet<string> = new Set(['define', 'template', 'block', 'break', 'continue']);

/** Parses the subset of Go's text/template that docs/termination-handler.md lists. */
export function parseTemplate(text: string): readonly TemplateNode[] {
  const parser = new TemplateParser(splitTemplate(text));
  const { nodes, end } = parser.list();
  if (end !== undefined) throw templateError(`{{ ${end.join(' ')} }} has no beginning`);
  return nodes;
}

interface ParsedList {
  readonly nodes: readonly TemplateNode[];
  /** The words of the `end` or `else` that closed it; undefined at the end of the template. */
  readonly end: readonly string[] | undefined;
  readonly elseWords: readonly Word[];
}

class TemplateParser {
  readonly #parts: readonly TemplatePart[];
  #at = 0;

  constructor(parts: readonly TemplatePart[]) {
    this.#parts = parts;
  }

  list(): ParsedList {
    const nodes: TemplateNode[] = [];
    for (;;) {
      const part = this.#parts[this.#at];
      this.#at += 1;
      if (part === undefined) return { nodes, end: undefined, elseWords: [] };
      if ('text' in part) nodes.push({ kind: 'text', text: part.text });
      else {
        const [first, ...rest] = part.words;
        const keyword = first?.type === 'name' ? first.text : '';
        if (keyword === 'end' || keyword === 'else')
          return { nodes, end: part.words.map(({ text }) => text), elseWords: rest };
        nodes.push(this.#node(keyword, part.words));
      }
    }
  }

  #node(keyword: string, words: readonly Word[]): TemplateNode {
    if (unsupported.has(keyword)) throw templateError(`{{ ${keyword} }} is not supported`);
    if (keyword === 'if' || keyword === 'with' || keyword === 'range')
      return this.#block(keyword, words.slice(1));
    return { kind: 'action', pipeline: new PipelineParser(words).parse() };
  }

  #block(kind: 'if' | 'with' | 'range', words: readonly Word[]): TemplateNode {
    const pipeline = new PipelineParser(words).parse();
    const { nodes: body, end, elseWords } = this.list();
    if (end === undefined) throw templateError(`{{ ${kind} }} has no {{ end }}`);
    if (end[0] === 'end') return { kind, pipeline, body, otherwise: [] };
    return { kind, pipeline, body, otherwise: this.#otherwise(kind, elseWords) };
  }

  /** `else if` shares the `end` of its `if`. */
  #otherwise(kind: string, words: readonly Word[]): readonly TemplateNode[] {
    const [next, ...rest] = words;
    if (next?.type === 'name' && (next.text === 'if' || next.text === 'with'))
      return [this.#block(next.text, rest)];
    const { nodes, end } = this.list();
    if (end?.[0] !== 'end') throw templateError(`{{ else }} of {{ ${kind} }} has no {{ end }}`);
    return nodes;
  }
}
