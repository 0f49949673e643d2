import {
  type ConditionedObject,
  nodeOverlayConditionSet,
  nodeOverlayConditions,
  nodeOverlayReasons,
  type Timestamp,
} from '../api/index.ts';
import type { Condition } from '../schema/index.ts';

/** The result of validating an overlay. */
export type OverlayVerdict =
  | { readonly overlay: string; readonly verdict: 'valid' }
  /** A requirement is invalid. */
  | { readonly overlay: string; readonly verdict: 'invalid'; readonly message: string }
  /** Another overlay of the same weight changes the same price or resource. */
  | { readonly overlay: string; readonly verdict: 'conflict' };

/** The conditions to store on an overlay. */
export function overlayConditions(
  object: ConditionedObject,
  verdict: OverlayVerdict,
  now: Timestamp,
): readonly Condition[] {
  const type = nodeOverlayConditions.validationSucceeded;
  const refusal = overlayRefusal(verdict);
  return refusal === undefined
    ? nodeOverlayConditionSet.setTrue(object, { type, now })
    : nodeOverlayConditionSet.setFalse(object, { type, now, ...refusal });
}

/** Reason and message of the condition when an overlay is not applied; undefined if it is. */
export function overlayRefusal(
  verdict: OverlayVerdict,
): { readonly reason: string; readonly message: string } | undefined {
  switch (verdict.verdict) {
    case 'valid':
      return undefined;
    case 'invalid':
      return { ...nodeOverlayReasons.runtimeValidation, message: verdict.message };
    case 'conflict':
      return nodeOverlayReasons.conflict;
  }
}
