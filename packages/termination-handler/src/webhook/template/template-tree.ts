import type { GoValue } from './go-value.ts';

/** A parsed template. */
export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipeline: Pipeline }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipeline: Pipeline;
      readonly body: readonly TemplateNode[];
      readonly otherwise: readonly TemplateNode[];
    };

export interface Pipeline {
  /** Variables that get the value: one, or index and element of a range. */
  readonly variables: readonly string[];
  readonly isDeclaration: boolean;
  readonly commands: readonly (readonly Operand[])[];
}

export type Operand =
  | { readonly kind: 'value'; readonly value: GoValue }
  | { readonly kind: 'call'; readonly name: string }
  /** `.A.B` from the current value, or from a variable. */
  | { readonly kind: 'field'; readonly from: string | undefined; readonly path: readonly string[] }
  | { readonly kind: 'pipeline'; readonly pipeline: Pipeline; readonly path: readonly string[] };
