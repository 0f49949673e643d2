import { Refusal } from '../../cloud/index.ts';
import type { WireShape } from './shape.ts';

/** A value of a parameter that is no structure, list or map. */
export function scalarFrom(shape: WireShape, text: string, name: string): unknown {
  if (shape.isBooleanSchema()) return booleanFrom(text, name);
  if (shape.isNumericSchema()) return numberFrom(text, name);
  if (shape.isTimestampSchema()) return dateFrom(text, name);
  return shape.isBlobSchema() ? Buffer.from(text, 'base64') : text;
}

export function dateFrom(value: unknown, name: string): Date {
  const date = typeof value === 'number' ? new Date(value * 1_000) : new Date(String(value));
  if (!Number.isNaN(date.getTime())) return date;
  throw invalid(value, name, 'a time');
}

function invalid(value: unknown, name: string, expected: string): Refusal {
  const shown = String(value).slice(0, 80);
  return new Refusal(
    'InvalidParameterValue',
    `Value (${shown}) for parameter ${name} is invalid: it is not ${expected}`,
  );
}

function booleanFrom(text: string, name: string): boolean {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  throw invalid(text, name, 'true or false');
}

function numberFrom(text: string, name: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw invalid(text, name, 'a number');
}
