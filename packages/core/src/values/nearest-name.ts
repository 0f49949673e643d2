/**
 * The known name that is most like a mistyped one, for "did you mean"; undefined if none is close. Up to a third
 * of the letters may differ, and a name of which the other is a part counts as close.
 */
export function nearestName(wanted: string, known: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = distanceOf(wanted.toLowerCase(), name.toLowerCase());
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name, distance };
  }
  if (best === undefined) return undefined;
  return best.distance <= Math.ceil(wanted.length / 3) ? best.name : containing(wanted, known);
}

function containing(wanted: string, known: Iterable<string>): string | undefined {
  if (wanted.length < 3) return undefined;
  return [...known].find((name) => name.includes(wanted) || (name.length > 2 && wanted.includes(name)));
}

/** Insertions, deletions and substitutions from one text to the other. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const substituted = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(substituted, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
