import { CodedError } from '@karpenter/core/errors';
import { nearestName } from '@karpenter/core/values';

const maxListed = 5;

interface WantedName {
  readonly flag: string;
  /** Such as `node`. */
  readonly what: string;
  readonly name: string;
}

/** The error for a name that the cluster does not have: suggests the nearest one, or else lists what there is. */
export function unknownName({ flag, what, name }: WantedName, known: readonly string[]): CodedError {
  const nearest = nearestName(name, known);
  const advice = nearest === undefined ? knownText(known) : `did you mean ${nearest}?`;
  return new CodedError(
    'invalid-setting',
    `${flag}: there is no ${what} ${JSON.stringify(name)}; ${advice}`,
    {
      details: { flag, name },
    },
  );
}

function knownText(known: readonly string[]): string {
  if (known.length === 0) return 'there are none at all';
  const rest = known.length - maxListed;
  const listed = known.toSorted().slice(0, maxListed).join(', ');
  return `choose from ${listed}${rest > 0 ? ` and ${rest} more` : ''}`;
}
