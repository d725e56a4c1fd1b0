import { withCanOf } from '../../platform/access/rules.ts'
import { openAt } from './hours/open-now.ts'
import type { ManagedRow } from './queries.ts'
import { defibrillateurActions, type StoredDefibrillateur } from './schema.ts'

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
