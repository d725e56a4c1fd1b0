import { withCanOf } from '../../platform/access/rules.ts'
import type { Language } from '../../platform/http/language.ts'
import { openAt } from './hours/open-now.ts'
import type { ManagedRow, SyncState } from './queries.ts'
import { defibrillateurActions, type StoredDefibrillateur } from './schema.ts'
import type { Failure } from './sync/schema.ts'

/** Presents devices with `ouvert` as of `now`. */
export function presentAt(now: Date) {
  const isOpen = openAt(now)
  return <Row extends StoredDefibrillateur>(row: Row) => {
    const { departement, ...fields } = row
    return { ...fields, ouvert: isOpen(row) }
  }
}

/** Presents devices to administrators. */
export function presentManagedAt(now: Date) {
  const present = presentAt(now)
  const withCan = withCanOf(defibrillateurActions)
  return <Row extends ManagedRow>(row: Row) => withCan(present(row))
}

/** Presents a sync to administrators, with the error in their language. */
export function presentSyncState({ sync_failure, sync_error, ...state }: SyncState, language: Language) {
  const isFrench = language === 'fr' && sync_failure !== null && sync_error !== null
  return { ...state, sync_error: isFrench ? inFrench(sync_failure, sync_error) : sync_error }
}

function inFrench({ code, present = 0, missing = 0 }: Failure, error: string): string {
  const detail = `Détail technique : ${error}`
  const sentences: Record<Failure['code'], string> = {
    fall: `Le registre n’a plus ou ne retient plus que ${present - missing} des ${present} défibrillateurs. Si c’est bien le cas, relancez avec accept_fall=true.`,
    content: `La réponse du registre n’est pas utilisable. ${detail}`,
    unreachable: `Le registre n’a pas répondu comme il faut. ${detail}`,
    interrupted: 'La synchronisation a été interrompue.',
    internal: 'Quelque chose a mal tourné de notre côté.',
  }
  return sentences[code]
}
