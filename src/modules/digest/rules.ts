import { opens, type Role } from '../../platform/access/areas.ts'
import type { Deps } from '../../platform/module.ts'
import { isPublicHoliday } from '../../platform/public-holidays.ts'
import { type Counts, countAll, waitingIn } from '../dashboard/counts.ts'

/** Monday to Friday, but for the public holidays of all of France. */
export function isWorkingDay(day: string): boolean {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isPublicHoliday('', year, month, date)
}

/** Counts what waits in the areas that these roles open; without what does not wait. */
export async function findWaiting(
  { db, config, modules }: Pick<Deps, 'db' | 'config' | 'modules'>,
  roles: readonly Role[],
): Promise<Counts> {
  const seen = waitingIn(modules).filter(({ area }) => opens(roles, area))
  const counts = await countAll({ db, config }, seen)
  return Object.fromEntries(Object.entries(counts).filter(([, { count }]) => count > 0))
}
