import type { Json } from '@karpenter/core/schema';
import { parse } from 'yaml';
export function decodeJson(b: Buffer): { value: Json; duplicates: readonly string[] } {
  return { value: JSON.parse(b.toString('utf8')), duplicates: [] };
}
export function decodeYaml(b: Buffer): { value: Json; duplicates: readonly string[] } {
  return { value: parse(b.toString('utf8')), duplicates: [] };
}
export function decodeProtobuf(_b: Buffer): Json {
  throw new Error('later');
}
