/** An entry of `metadata.ownerReferences`. */
export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  /** Set on the one owner that is the managing controller. */
  readonly controller?: boolean;
}

interface Owned {
  readonly ownerReferences?: readonly OwnerReference[];
}

/** Whether any owner is of this kind; a reference without apiVersion counts too. */
export function isOwnedBy({ ownerReferences = [] }: Owned, apiVersion: string, kind: string): boolean {
  return ownerReferences.some(
    (owner) => owner.kind === kind && (owner.apiVersion === undefined || owner.apiVersion === apiVersion),
  );
}

/** The owner that is the managing controller, if any. */
export function controllerReference({ ownerReferences = [] }: Owned): OwnerReference | undefined {
  return ownerReferences.find(({ controller }) => controller === true);
}
