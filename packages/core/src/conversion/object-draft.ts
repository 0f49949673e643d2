import { isJsonObject, type Json, type JsonObject, member } from '../schema/index.ts';
import type { ConversionWarning, ConvertedObject, FieldMove, FieldPath } from './converted-object.ts';

type Warning = Omit<ConversionWarning, 'object'>;

/**
 * An object while it is converted: every change keeps the order of keys and records where moved fields came from.
 * Paths lead through objects only.
 */
export class ObjectDraft {
  readonly #subject: string;
  readonly #warnings: ConversionWarning[] = [];
  readonly #moves: FieldMove[] = [];
  #object: JsonObject;

  /** `subject` names the object in warnings. */
  constructor(subject: string, object: JsonObject) {
    this.#subject = subject;
    this.#object = object;
  }

  get(...path: FieldPath): Json | undefined {
    return fieldOf(this.#object, path);
  }

  /** Sets a field; a new one becomes the last of its parent. Missing parents are created. */
  set(path: FieldPath, value: Json): this {
    this.#object = withField(this.#object, path, value);
    return this;
  }

  remove(path: FieldPath): this {
    this.#object = withoutField(this.#object, path);
    return this;
  }

  /** Sets a field and records that it holds what `from` held. */
  take(from: FieldPath, to: FieldPath, value: Json): this {
    this.#moves.push({ from, to });
    return this.set(to, value);
  }

  /** Records that a field holds what another held, without setting it. */
  moved(from: FieldPath, to: FieldPath): this {
    this.#moves.push({ from, to });
    return this;
  }

  /** Puts another field in the place of one, among the same siblings. */
  replace(path: FieldPath, key: string, value: Json): this {
    const [old, parent] = [path.at(-1), path.slice(0, -1)];
    const siblings = this.get(...parent);
    if (!isJsonObject(siblings)) return this;
    const entries = Object.entries(siblings).filter(([name]) => name !== key || name === old);
    const renamed = entries.map(([name, each]): [string, Json] =>
      name === old ? [key, value] : [name, each],
    );
    this.#moves.push({ from: path, to: [...parent, key] });
    return this.set(parent, Object.fromEntries(renamed));
  }

  warn(warning: Warning): this {
    this.#warnings.push({ ...warning, object: this.#subject });
    return this;
  }

  finish(): ConvertedObject {
    return { object: this.#object, warnings: this.#warnings, moves: this.#moves };
  }
}

export function fieldOf(value: Json | undefined, path: FieldPath): Json | undefined {
  return path.reduce<Json | undefined>((each, key) => member(each, String(key)), value);
}

/** Kind and name, as warnings name an object. */
export function subjectOf(object: JsonObject): string {
  const name = fieldOf(object, ['metadata', 'name']);
  return typeof name === 'string' ? `${object['kind']} ${name}` : String(object['kind']);
}

function withField(object: JsonObject, path: FieldPath, value: Json): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) return isJsonObject(value) ? value : object;
  if (rest.length === 0) return { ...object, [key]: value };
  const inner = object[key];
  return { ...object, [key]: withField(isJsonObject(inner) ? inner : {}, rest, value) };
}

function withoutField(object: JsonObject, path: FieldPath): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined || !Object.hasOwn(object, key)) return object;
  const inner = object[key];
  if (rest.length > 0) {
    return isJsonObject(inner) ? { ...object, [key]: withoutField(inner, rest) } : object;
  }
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
