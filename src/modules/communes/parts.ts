import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../platform/database/connect.ts'
import { type Problem, validationFailed } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/uuid.ts'
import { replacePart } from './queries.admin.ts'
import { type CollecteRow, type EluRow, type InfoRow, listCollectes, listElus, listInfos } from './queries.ts'
import type { CommuneUpdate } from './schema.admin.ts'

/** The sub-lists of a commune, which an administrator replaces whole. */
export const partNames = ['elus', 'collectes', 'infos'] as const
export type PartName = (typeof partNames)[number]
type Parts = { elus: EluRow[]; collectes: CollecteRow[]; infos: InfoRow[] }
type GivenParts = { [name in PartName]?: CommuneUpdate[name] | undefined }

export async function listParts(db: Database, communeId: string): Promise<Parts> {
  return {
    elus: await listElus(db, communeId),
    collectes: await listCollectes(db, communeId),
    infos: await listInfos(db, communeId),
  }
}

/** Writes the sub-lists that are given and differ from those before; answers just these, as they now are. */
export async function replaceParts(
  tx: Database,
  communeId: string,
  given: GivenParts,
  before: Parts,
): Promise<Partial<Parts>> {
  refuseStrangeIds(given, before)
  const rows = rowsOf(given)
  const changed = partNames.filter(
    (name) => rows[name] !== undefined && !isDeepStrictEqual(rows[name], before[name]),
  )
  if (changed.includes('elus')) await replacePart(tx, 'elus', communeId, rows.elus ?? [])
  if (changed.includes('collectes'))
    await replacePart(tx, 'collectes', communeId, (rows.collectes ?? []).map(stored))
  if (changed.includes('infos')) await replacePart(tx, 'commune_infos', communeId, rows.infos ?? [])
  return Object.fromEntries(changed.map((name) => [name, rows[name]]))
}

/** The rows in the shape that they are read in, with what was left out filled in. */
function rowsOf({ elus, collectes, infos }: GivenParts): Partial<Parts> {
  return {
    ...(elus && {
      elus: elus.map(({ id, ordre, photo_url, mandat_debut, ...elu }, index) => ({
        id: id ?? uuidv7(),
        ...elu,
        ordre: ordre ?? index + 1,
        photo_url: photo_url ?? null,
        mandat_debut: mandat_debut ?? null,
      })),
    }),
    ...(collectes && {
      collectes: collectes.map(({ id, ...collecte }) => ({
        id: id ?? uuidv7(),
        ...collecteDefaults,
        ...collecte,
      })),
    }),
    ...(infos && {
      infos: infos.map(({ id, position, ...info }, index) => ({
        id: id ?? uuidv7(),
        ...info,
        position: position ?? index + 1,
      })),
    }),
  }
}

const collecteDefaults = {
  secteur: null,
  jours: [],
  toutes_les_semaines: 1,
  a_partir_du: null,
  dates: [],
  exceptions: [],
  consignes: null,
}

const stored = (row: CollecteRow, position: number) => ({
  ...row,
  position,
  exceptions: JSON.stringify(row.exceptions),
})

/** An id that is given names a row of the list as it was, once. */
function refuseStrangeIds(given: GivenParts, before: Parts): void {
  const problems = partNames.flatMap((name) => {
    const known = new Set(before[name].map(({ id }) => id))
    return (given[name] ?? []).flatMap(({ id }, index): Problem[] =>
      id === undefined || known.delete(id) ? [] : [{ field: `${name}.${index}.id`, message: strangeId }],
    )
  })
  if (problems.length > 0) throw validationFailed(problems)
}

const strangeId = {
  en: 'is not the id of a row of this list',
  fr: "n'est pas l'identifiant d'une ligne de cette liste",
}

/** Readers follow it: nothing but the web. */
export function refuseStrangeAddresses({ infos = [] }: Pick<GivenParts, 'infos'>): void {
  const problems = infos.flatMap(({ cle, valeur }, index): Problem[] =>
    cle !== 'site_web' || valeur.trim() === '' || /^https?:\/\//i.test(valeur.trim())
      ? []
      : [
          {
            field: `infos.${index}.valeur`,
            message: { en: 'must be an http or https URL', fr: 'doit être une URL http ou https' },
          },
        ],
  )
  if (problems.length > 0) throw validationFailed(problems)
}
