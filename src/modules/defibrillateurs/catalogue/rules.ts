import type { Database } from '../../../platform/database/connect.ts'
import { invalid } from '../../../platform/errors.ts'
import { openAt } from '../hours/open-now.ts'
import { type Asked, type Closed, listHours } from './queries.ts'
import { type CatalogueQuery, defaultRadius } from './schema.ts'

/** Checks that parameters which belong together are given together. */
export function askedBy({ q, code_insee, lat, lon, rayon, ouvert }: CatalogueQuery): Asked {
  if (lat !== undefined && lon === undefined) throw invalid('lon', together)
  if (lon !== undefined && lat === undefined) throw invalid('lat', together)
  const place = lat !== undefined && lon !== undefined ? { lat, lon, rayon: rayon ?? defaultRadius } : null
  if (place === null && rayon !== undefined) throw invalid('lat', together)
  if (ouvert && place === null && code_insee === undefined) throw invalid('ouvert', bounded)
  return { ...(q !== undefined && { q }), ...(code_insee !== undefined && { code_insee }), place }
}

/** Lists the opening hours that are known to be closed now. */
export async function listClosed(db: Database, asked: Asked, now: Date): Promise<Closed> {
  const isOpen = openAt(now)
  return (await listHours(db, asked)).filter((hours) => isOpen(hours) === false) as Closed
}

const together = {
  en: 'lat and lon must be given together, and rayon only with them',
  fr: 'lat et lon doivent être donnés ensemble, et rayon seulement avec eux',
}
const bounded = {
  en: 'requires lat and lon, or code_insee',
  fr: 'exige lat et lon, ou code_insee',
}
