/** A day of the Gregorian calendar in UTC. */
export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
}

const daysPerEra = 146_097;
/** Days from 1 March of year 0, where a 400-year era begins, to 1 January 1970. */
const daysToEpoch = 719_468;

/** Years start in March, so that the leap day is the last day of its year. */
function yearOfEra(dayOfEra: number): number {
  const leapDays =
    Math.trunc(dayOfEra / 1460) - Math.trunc(dayOfEra / 36_524) + Math.trunc(dayOfEra / 146_096);
  return Math.trunc((dayOfEra - leapDays) / 365);
}

/** The date of a day counted from 1 January 1970. Pure, unlike `Date`, which core may not use. */
export function civilDate(epochDay: number): CivilDate {
  const era = Math.floor((epochDay + daysToEpoch) / daysPerEra);
  const dayOfEra = epochDay + daysToEpoch - era * daysPerEra;
  const year = yearOfEra(dayOfEra);
  const dayOfYear = dayOfEra - (365 * year + Math.trunc(year / 4) - Math.trunc(year / 100));
  const monthFromMarch = Math.trunc((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: year + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.trunc((153 * monthFromMarch + 2) / 5) + 1,
    weekday: (((epochDay + 4) % 7) + 7) % 7,
  };
}
