/** Who made an object, as its metadata says. */
export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  /** Set on the one owner that keeps the object as it should be. */
  readonly controller?: boolean;
}

interface Owned {
  readonly ownerReferences?: readonly OwnerReference[];
}

/** Whether any owner is of this kind; a reference that does not say its version counts too. */
export function isOwnedBy({ ownerReferences = [] }: Owned, apiVersion: string, kind: string): boolean {
  return ownerReferences.some(
    (owner) => owner.kind === kind && (owner.apiVersion === undefined || owner.apiVersion === apiVersion),
  );
}

/** The owner that keeps the object as it should be, if one does. */
export function controllerReference({ ownerReferences = [] }: Owned): OwnerReference | undefined {
  return ownerReferences.find(({ controller }) => controller === true);
}
