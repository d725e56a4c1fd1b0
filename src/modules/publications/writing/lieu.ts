import type { Static } from 'typebox'
import type { Problem } from '../../../platform/errors.ts'
import { lineOrNull, textProblems } from '../../../platform/formats/clean-text.ts'
import { maxAdresseOfLieu, maxNomOfLieu } from '../fields.ts'
import type { Lieu, writtenContent } from '../schema.ts'

type Given = Static<(typeof writtenContent)['lieu']>

/** Cleans a place; null if nothing of it is known. */
export function cleanLieu(given: Given): Lieu | null {
  if (given === null) return null
  const lieu = {
    nom: lineOrNull(given.nom),
    adresse: lineOrNull(given.adresse),
    latitude: rounded(given.latitude),
    longitude: rounded(given.longitude),
  }
  return Object.values(lieu).every((value) => value === null) ? null : lieu
}

/** Returns the problems of a cleaned place. */
export function lieuProblems(lieu: Lieu | null): Problem[] {
  if (lieu === null) return []
  const { nom, adresse, latitude, longitude } = lieu
  const problems = [
    ...(nom === null ? [] : textProblems('lieu.nom', nom, maxNomOfLieu)),
    ...(adresse === null ? [] : textProblems('lieu.adresse', adresse, maxAdresseOfLieu)),
  ]
  if (latitude === null && longitude !== null)
    problems.push({ field: 'lieu.latitude', message: together('longitude') })
  if (latitude !== null && longitude === null)
    problems.push({ field: 'lieu.longitude', message: together('latitude') })
  return problems
}

/** A tenth of a metre, and never written with an exponent or as -0. */
const rounded = (degrees: number | null | undefined): number | null =>
  degrees == null ? null : Math.round(degrees * 1e6) / 1e6 + 0

const together = (other: string) => ({
  en: `must be given together with ${other}`,
  fr: `doit être donnée avec ${other}`,
})
