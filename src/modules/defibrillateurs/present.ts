import { openAt } from './hours/open-now.ts'
import type { StoredDefibrillateur } from './schema.ts'

/** Presents devices as of a moment. */
export function presentAt(now: Date) {
  const isOpen = openAt(now)
  return <Row extends StoredDefibrillateur>(row: Row) => {
    const { departement, ...told } = row
    return { ...told, ouvert: isOpen(row) }
  }
}
