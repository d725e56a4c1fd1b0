import type { Database } from '../../../platform/database/connect.ts'
import { invalid, validationFailed } from '../../../platform/errors.ts'
import { type CollecteSchedule, calendarBetween, daysLater, withNextDates } from '../calendar.ts'
import { repeatedExceptions } from '../editing/sub-lists.ts'
import { findDepartement } from '../queries.ts'
import { type CollectePreview, maxDays, type PreviewBody } from './schema.ts'

const defaultDays = 92

/** Returns the dates that the public will see once the collecte is saved. */
export async function previewCollecte(
  db: Database,
  { commune_id, du, au, ...typed }: PreviewBody,
  today: string,
): Promise<CollectePreview> {
  const schedule: CollecteSchedule = {
    jours: typed.jours ?? [],
    toutes_les_semaines: typed.toutes_les_semaines ?? 1,
    a_partir_du: typed.a_partir_du ?? null,
    dates: typed.dates ?? [],
    exceptions: typed.exceptions ?? [],
  }
  refuseUncountedWeeks(schedule)
  const repeated = repeatedExceptions(typed, 'exceptions')
  if (repeated.length > 0) throw validationFailed(repeated)
  const from = du ?? today
  const to = au ?? daysLater(from, defaultDays - 1)
  if (to < from || to > daysLater(from, maxDays - 1))
    throw invalid('au', {
      en: `must be at most ${maxDays} days from the first day, and not before it`,
      fr: `doit être à ${maxDays} jours au plus du premier jour, et pas avant lui`,
    })
  const departement = commune_id === undefined ? '' : await findDepartement(db, commune_id)
  if (departement === null)
    throw invalid('commune_id', {
      en: 'must be an existing commune',
      fr: 'doit être une commune qui existe',
    })
  const { prochaines, passages } = withNextDates(schedule, today, departement)
  const { days, useless } = calendarBetween(schedule, { from, to, departement })
  return { prochaines, passages, jours: days, sans_effet: useless }
}

/** Refuses what the constraint `collectes_anchor` refuses when it is saved. */
function refuseUncountedWeeks({ jours, toutes_les_semaines: every, a_partir_du }: CollecteSchedule): void {
  if (every === 1 || jours.length === 0 || a_partir_du !== null) return
  throw invalid('a_partir_du', {
    en: 'is required unless the collecte is weekly',
    fr: 'est obligatoire si la collecte n’est pas hebdomadaire',
  })
}
