type Parts = Record<string, unknown>;

/**
 * Makes a parsed JSON value unchangeable in place, however deep, and gives it the parts of its kin wherever those say
 * the same: pods of one owner differ in little else than their names, and there may be a hundred thousand of them.
 * What is shared stays one moment, because nobody can change it.
 */
export function sharedParts<T>(value: T, kin: unknown): T {
  // Strings that are equal may still be two in memory, of which the one of the kin is kept.
  if (value === kin) return kin as T;
  if (!isParts(value) || Object.isFrozen(value)) return value;
  const model = isParts(kin) && Array.isArray(kin) === Array.isArray(value) ? kin : undefined;
  return share(value, model) ? (model as T) : Object.freeze(value);
}

/** Whether the value says just what the model says, once it has taken from it what it can. */
function share(value: Parts, model: Parts | undefined): boolean {
  const keys = Object.keys(value);
  let isSame = model !== undefined && Object.keys(model).length === keys.length;
  for (const key of keys) {
    const other = ownPart(model, key);
    const part = sharedParts(value[key], other);
    value[key] = part;
    if (part !== other) isSame = false;
  }
  return isSame;
}

function ownPart(model: Parts | undefined, key: string): unknown {
  return model !== undefined && Object.hasOwn(model, key) ? model[key] : undefined;
}

function isParts(value: unknown): value is Parts {
  return typeof value === 'object' && value !== null;
}
