import Type from 'typebox'
import { listAllActeurs, PublicActeur } from '../modules/acteurs/reading.ts'
import { type Deliberation, listDeliberations } from '../modules/acts/open.ts'
import { nameOfSubject } from '../modules/acts/subjects.ts'
import { listAllAlertes } from '../modules/alertes/queries.ts'
import { alerteFields } from '../modules/alertes/schema.ts'
import { listAllCollectes, listAllElus, listAllInfos } from '../modules/communes/queries.ts'
import { listUpdatedCommunes } from '../modules/communes/reading.ts'
import { CommuneListed, collecteFields, Elu, Info } from '../modules/communes/schema.ts'
import { listPublic } from '../modules/defibrillateurs/listing.ts'
import { Defibrillateur } from '../modules/defibrillateurs/schema.ts'
import { listUpdated } from '../modules/publications/reading/routes.ts'
import { Publication } from '../modules/publications/schema.ts'
import { isFeatured } from '../modules/publications/stored-lists.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import type { Database } from '../platform/database/connect.ts'
import type { Column } from '../platform/http/listing/csv.ts'
import { pathOfAct } from './actes.ts'
import { endedDays } from './alertes.ts'
import { largestJpeg } from './pictures.ts'
import { pathOf } from './rows.ts'
import type { Site } from './site.ts'

const firstId = '00000000-0000-0000-0000-000000000000'
const dayMs = 86_400_000

export type Row = { id: string; updated_at?: Date | string }
export type Dataset = {
  columns: Column[]
  /** Reads rows after one, in a fixed order; the first ones after null. */
  read(site: Site, caller: Caller, last: Row | null, limit: number): Promise<Row[]>
  /** Leaves out rows of a batch, and adds what a reader needs. */
  present?(site: Site, row: Row, caller: Caller): object | null
  /** Where a row is. Datasets that have it are offered as GeoJSON too. */
  placeOf?(row: object): Place
}
type Place = { latitude: number | null; longitude: number | null } | null

const { photo: _photo, ...eluFields } = Elu.properties

/** What can be downloaded. Each shows what the pages show, under the same restriction. */
export const datasets = {
  communes: {
    columns: flatColumns(CommuneListed.properties),
    read: (site, _caller, last, limit) => listUpdatedCommunes(site.lists, {}, positionAfter(last), limit),
    present: (_site, row, caller) => {
      const communeIds = restrictionOf(caller)
      return communeIds === null || communeIds.includes(row.id) ? row : null
    },
  },
  publications: {
    columns: columnsOfPublications(),
    read: readPublications,
    present: presentPublication,
    placeOf: (row) => (row as Publication).lieu,
  },
  agenda: {
    columns: columnsOfPublications(),
    read: readPublications,
    present: (site, row) => ((row as Publication).date_debut === null ? null : presentPublication(site, row)),
    placeOf: (row) => (row as Publication).lieu,
  },
  alertes: {
    columns: flatColumns({ codes_insee: Type.Array(Type.String()), ...alerteFields }),
    read({ lists, clock }, caller, last, limit) {
      const now = clock()
      const since = new Date(now.getTime() - endedDays * dayMs)
      const part = { communeIds: restrictionOf(caller), after: last?.id ?? firstId, limit }
      return listAllAlertes(lists, { since, now }, part)
    },
  },
  collectes: ofCommunes(collecteFields, listAllCollectes),
  infos: ofCommunes(Info.properties, listAllInfos),
  elus: {
    ...ofCommunes(eluFields, listAllElus),
    present: (site, row) => {
      const { photo, ...fields } = row as Elu & Row
      return { ...fields, photo_url: photo ? `${site.url}${largestJpeg(photo)}` : fields.photo_url }
    },
  },
  deliberations: {
    ...byId(columnsOfDeliberations(), listDeliberations),
    present: (site, row) => presentDeliberation(site, row as Deliberation),
  },
  annuaire: {
    ...byId(flatColumns({ ...PublicActeur.properties, logo: Type.String() }), listAllActeurs),
    present: (site, row) => {
      const { logo, ...fields } = row as PublicActeur
      return { ...fields, logo: logo && `${site.url}${largestJpeg(logo)}` }
    },
  },
  defibrillateurs: {
    ...byId(columnsOfDefibrillateurs(), listPublic),
    present: (_site, { departement, ...fields }: Row & { departement?: unknown }) => fields,
    placeOf: (row) => row as Place,
  },
} satisfies Record<string, Dataset>
export type Name = keyof typeof datasets

type ListAll = (
  db: Database,
  communeIds: readonly string[] | null,
  after: string,
  limit: number,
) => Promise<Row[]>

function byId(columns: Column[], list: ListAll): Pick<Dataset, 'columns' | 'read'> {
  return {
    columns,
    read: ({ lists }, caller, last, limit) => list(lists, restrictionOf(caller), last?.id ?? firstId, limit),
  }
}

/** A list of each commune, whose rows begin with its name and code. */
function ofCommunes(fields: Record<string, object>, list: ListAll) {
  return byId(flatColumns({ commune: Type.String(), code_insee: Type.String(), ...fields }), list)
}

const positionAfter = (last: Row | null) => ({
  at: last?.updated_at === undefined ? '0001-01-01T00:00:00Z' : new Date(last.updated_at).toISOString(),
  id: last?.id ?? firstId,
})

function columnsOfDefibrillateurs(): Column[] {
  const { ouvert: _o, ...stored } = Defibrillateur.properties
  return flatColumns(stored)
}
/** The columns of SCDL 2.1, in its order. Those that the service does not know are empty. */
function columnsOfDeliberations(): Column[] {
  const names = [
    ...['COLL_NOM', 'COLL_SIRET', 'DELIB_ID', 'DELIB_DATE', 'DELIB_MATIERE_CODE', 'DELIB_MATIERE_NOM'],
    ...['DELIB_OBJET', 'BUDGET_ANNEE', 'BUDGET_NOM', 'PREF_ID', 'PREF_DATE', 'VOTE_EFFECTIF', 'VOTE_REEL'],
    ...['VOTE_POUR', 'VOTE_CONTRE', 'VOTE_ABSTENTION', 'DELIB_URL'],
  ]
  return names.map((name) => ({ name, read: (row) => (row as Record<string, unknown>)[name] }))
}
function presentDeliberation(site: Site, act: Deliberation): object {
  return {
    COLL_NOM: act.nom,
    COLL_SIRET: act.siret,
    DELIB_ID: act.number ?? act.id,
    DELIB_DATE: act.date,
    DELIB_MATIERE_CODE: act.subject,
    DELIB_MATIERE_NOM: nameOfSubject(act.subject),
    DELIB_OBJET: act.title,
    DELIB_URL: `${site.url}${pathOfAct(act)}`,
  }
}

function columnsOfPublications(): Column[] {
  const {
    status: _s,
    moderation_status: _m,
    valide: _v,
    deleted_at: _d,
    // A list of records fits no column.
    images: _i,
    documents: _docs,
    found_in: _found,
    // Said by another column.
    title: _title,
    type_id: _type,
    acteur_id: _acteur,
    commune_id: _commune,
    ...published
  } = Publication.properties
  return flatColumns({ ...published, url: Type.String() })
}
function readPublications(site: Site, caller: Caller, last: Row | null, limit: number) {
  const list = { filters: {}, communeIds: restrictionOf(caller), comesFirst: isFeatured }
  return listUpdated(site.lists, list, positionAfter(last), limit)
}
function presentPublication(site: Site, row: Row): object {
  const { status, moderation_status, valide, deleted_at, ...open } = row as Publication
  // Each value once: `titre`, `type.id`, `acteur.id`, `commune.id`.
  const { title, type_id, acteur_id, commune_id, ...fields } = open
  const { image_url, images } = fields
  // Readers of the file ask no other site either.
  const image = images.length > 0 ? `${site.url}${image_url}` : null
  return { ...fields, image_url: image, url: `${site.url}${pathOf(fields)}` }
}

/** A column for each value: no cell holds JSON. Several values of one kind are separated by `|`. */
function flatColumns(fields: Record<string, object>): Column[] {
  return Object.entries(fields).flatMap(([name, field]): Column[] => {
    const read = (row: unknown) => (row as Record<string, unknown> | null | undefined)?.[name]
    const { properties, items } = field as Properties & { items?: Properties }
    if (properties !== undefined) return within(name, properties, (inner) => (row) => inner(read(row)))
    if (items?.properties !== undefined)
      return within(name, items.properties, (inner) => (row) => joined(read(row), inner))
    return [{ name, read: (row) => joined(read(row)) }]
  })
}
type Properties = { properties?: Record<string, object> }
type Read = Column['read']

function within(name: string, fields: Record<string, object>, readAs: (inner: Read) => Read): Column[] {
  return flatColumns(fields).map((inner) => ({ name: `${name}.${inner.name}`, read: readAs(inner.read) }))
}
function joined(value: unknown, read: Read = (item) => item): unknown {
  return Array.isArray(value) ? value.map((item) => read(item) ?? '').join('|') : value
}
