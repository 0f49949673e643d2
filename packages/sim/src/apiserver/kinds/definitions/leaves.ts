import type { Json } from '@karpenter/core/schema';
import { isJsonArray, isJsonObject } from '@karpenter/core/schema';
import { formatQuantity, parseQuantity } from '@karpenter/core/values';
import { remembered } from '../../remembered.ts';
import type { GoType } from './go-type.ts';
import { readMicroTime, readTime } from './times.ts';

/**
 * The outcome of decoding a value: decoded, rejected with a message of its own, or of the wrong type (by
 * default the message names `expected`).
 */
export interface LeafResult {
  readonly value?: Json;
  readonly problem?: string;
  readonly expected?: string;
}

export type Leaf = (value: Json) => LeafResult;

/** How a type without parts decodes its JSON. */
export function leaves(type: GoType): Leaf {
  if (type.shape === 'opaque') return opaqueLeaves[type.definition ?? ''] ?? keep;
  switch (type.shape) {
    case 'string':
      return readText;
    case 'boolean':
      return readFlag;
    case 'integer':
      return type.bits === 32 ? readInt32 : readInt64;
    case 'number':
      return readNumber;
    default:
      return readBytes;
  }
}

const keep: Leaf = (value) => ({ value });
const readText: Leaf = (value) => (typeof value === 'string' ? { value } : {});
const readFlag: Leaf = (value) => (typeof value === 'boolean' ? { value } : {});
const readNumber: Leaf = (value) => (typeof value === 'number' ? { value } : {});

const int32Limit = 2 ** 31;
const int64Limit = 2 ** 63;

const readInt32: Leaf = (value) => (isInteger(value, int32Limit) ? { value } : {});
const readInt64: Leaf = (value) => (isInteger(value, int64Limit) ? { value } : {});

function isInteger(value: Json, limit: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= -limit && value < limit;
}

// The first is Kubernetes' own, for RE2, and appears in error messages. The second accepts the same texts without
// backtracking over each digit when a text does not match (ADR 0066).
const documentedShape = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$';
const quantityShape = /^[+-]?[0-9.]+(?:(?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/;

const unlikeQuantity: LeafResult = {
  problem: `quantities must match the regular expression '${documentedShape}'`,
};

const readQuantity: Leaf = (value) => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? quantityText(text) : unlikeQuantity;
};

const quantityText = remembered((text): LeafResult => {
  if (!quantityShape.test(text)) return unlikeQuantity;
  try {
    return { value: formatQuantity(parseQuantity(text)) };
  } catch {
    return { problem: "unable to parse quantity's suffix" };
  }
});

const readIntOrString: Leaf = (value) => {
  if (typeof value === 'string' || isInteger(value, int32Limit)) return { value };
  return { expected: 'int32' };
};

const timeLeaf =
  (read: (text: string) => LeafResult): Leaf =>
  (value) =>
    typeof value === 'string' ? read(value) : { expected: 'string' };

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const readBytes: Leaf = (value) => {
  if (typeof value !== 'string') return {};
  const text = value.replace(/[\r\n]/g, '');
  if (base64.test(text)) return { value: text };
  return { problem: `illegal base64 data at input byte ${firstBadByte(value)}` };
};

/** Go reports the position of the first invalid byte, or of an incomplete group of four. */
function firstBadByte(text: string): number {
  const odd = text.search(/[^A-Za-z0-9+/=\r\n]/);
  if (odd >= 0) return odd;
  const padding = text.indexOf('=');
  if (padding < 0 || padding % 4 >= 2) return padding < 0 ? text.length - (text.length % 4) : text.length;
  return padding;
}

const readObject: Leaf = (value) => (isJsonObject(value) || isJsonArray(value) ? { value } : keep(value));

const opaqueLeaves: Readonly<Record<string, Leaf>> = {
  'resource.Quantity': readQuantity,
  'intstr.IntOrString': readIntOrString,
  'meta.v1.Time': timeLeaf(readTime),
  'meta.v1.MicroTime': timeLeaf(readMicroTime),
  'runtime.RawExtension': readObject,
};

/** The encoding of an absent value of such a type: Go never omits a struct, not even an empty one. */
export function zeroLeaf({ definition }: GoType, isKept: boolean): Json | undefined {
  switch (definition) {
    case 'resource.Quantity':
      return '0';
    case 'intstr.IntOrString':
      return 0;
    case 'meta.v1.Duration':
      return '0s';
    default:
      return isKept || definition?.endsWith('Time') || definition === 'runtime.RawExtension'
        ? null
        : undefined;
  }
}
