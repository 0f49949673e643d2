import type { JsonSchema } from '@karpenter/core/schema';

/** The largest body of a request to kube-apiserver, in bytes. */
const maxRequestBytes = 3 * 1024 * 1024;
export const largestText = maxRequestBytes - 2;

/** Bytes of a character: maxLength counts characters, of up to four bytes each. */
const characterBytes = 4;
const textSizes: Readonly<Record<string, number>> = { date: 12, 'date-time': 34, duration: 34 };

/**
 * The largest size that a value of this schema can have in a request: characters of a string, items of a list,
 * entries of a map. Without a limit in the schema, the size of the request limits it.
 */
export function largestSize(schema: JsonSchema): number {
  if (schema['x-kubernetes-int-or-string'] === true) return largestText;
  switch (schema.type) {
    case 'string':
      return largestTextOf(schema);
    case 'array':
      return schema.maxItems ?? largestCount(smallestBytes(schema.items ?? {}) + 1);
    case 'object':
      return typeof schema.additionalProperties === 'object'
        ? (schema.maxProperties ?? largestCount(smallestBytes(schema.additionalProperties) + 6))
        : 1;
    default:
      return 1;
  }
}

function largestTextOf({ format, maxLength, enum: allowed }: JsonSchema): number {
  const ofFormat = format !== undefined && Object.hasOwn(textSizes, format) ? textSizes[format] : undefined;
  if (ofFormat !== undefined) return ofFormat;
  if (maxLength !== undefined) return maxLength * (format === 'byte' ? 1 : characterBytes);
  if (allowed !== undefined) return Math.max(0, ...allowed.map((each) => String(each).length));
  return largestText;
}

function largestCount(bytesEach: number): number {
  return Math.floor((maxRequestBytes - 2) / bytesEach);
}

/** Largest number of values of this schema that fit into one request. */
export function largestRepetition(schema: JsonSchema): number {
  return Math.floor(maxRequestBytes / (smallestBytes(schema) + 1));
}

/** Bytes of the shortest JSON of a schema. */
function smallestBytes(schema: JsonSchema): number {
  switch (schema.type) {
    case 'boolean':
      return 4;
    case 'array':
    case 'string':
      return 2;
    case 'object':
      return 2 + requiredBytes(schema);
    default:
      return 1;
  }
}

function requiredBytes({ properties = {}, required = [] }: JsonSchema): number {
  return required.reduce((sum, name) => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    // Quotes, colon and comma. A member with a default may be left out.
    return member === undefined || member.default !== undefined
      ? sum
      : sum + name.length + 4 + smallestBytes(member);
  }, 0);
}
