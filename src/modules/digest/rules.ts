import { opens, type Role } from '../../platform/access/areas.ts'
import type { Deps } from '../../platform/module.ts'
import { isPublicHoliday } from '../../platform/time/public-holidays.ts'
import { type Counts, countAll, waitingIn } from '../dashboard/counts.ts'

/** True from Monday to Friday, except on national public holidays. */
export function isWorkingDay(day: string): boolean {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isPublicHoliday('', year, month, date)
}

/** Counts the waiting work in the areas that these roles open; omits zero counts. */
export async function findWaiting(
  { reads, config, modules }: Pick<Deps, 'reads' | 'config' | 'modules'>,
  roles: readonly Role[],
): Promise<Counts> {
  const seen = waitingIn(modules).filter(({ area }) => opens(roles, area))
  const counts = await countAll({ reads, config }, seen)
  return Object.fromEntries(Object.entries(counts).filter(([, { count }]) => count > 0))
}
