import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../platform/access/caller.ts'
import { change } from '../../platform/change.ts'
import { among, flag } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { requireRow } from '../../platform/database/require-row.ts'
import { byId, type SortKey } from '../../platform/database/sort-order.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { languageOf } from '../../platform/http/language.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { idsQuery, listQuery, several, sortQuery } from '../../platform/http/listing/paging.ts'
import { Id, oneOf, record, textOrNull } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { listPresent } from '../presence/queries.ts'
import { etats } from './etats.ts'
import { presentManagedAt, presentSyncState } from './present.ts'
import {
  getRecord,
  getSyncState,
  isFoundBy,
  isOfCode,
  isOfCommune,
  type Level,
  type ManagedRow,
  managedColumns,
} from './queries.ts'
import { defibrillateurOf } from './record.ts'
import {
  codeInsee,
  DefibrillateurRecord,
  lastSynced,
  latestStatus,
  ManagedDefibrillateur,
  StatutBody,
  searchText,
  statuts,
} from './schema.ts'

export const filters = {
  ...listQuery,
  sort: sortQuery(['nom', 'commune_nom', 'mis_a_jour_le'], 'nom_asc'),
  ids: idsQuery,
  q: searchText,
  statut_admin: several(oneOf(statuts), 'Of one of these, on the level of the list'),
  etat_fonctionnement: several(oneOf(etats), 'In one of these conditions, as the registry says'),
  absent: several(Type.Boolean(), 'Whether it disappeared from the registry'),
}
const CommuneQuery = Type.Object(filters)
const FranceQuery = Type.Object({ ...filters, code_insee: codeInsee })
export type ManagedQuery = Static<typeof FranceQuery>

const { data, meta } = ListPage(ManagedDefibrillateur).properties

/** A page with the result of the latest sync. */
const ManagedPage = Type.Object({
  data,
  meta: Type.Object({
    ...meta.properties,
    last_synced_at: lastSynced,
    sync_status: latestStatus,
    sync_error: textOrNull('The registry answered 503.'),
  }),
})

const ByCommune = Type.Object({ id: Id('Identifier of the commune') })
const ById = Type.Object({ id: Id('Identifier of the defibrillator') })

export function managingRoutes(scope: SignedInScope, { db, reads, lists, clock }: Deps): void {
  async function readPage(communeId: string | null, query: ManagedQuery, acceptLanguage: string | undefined) {
    const [{ data, meta }, state] = await Promise.all([
      listPage(lists, managedList(communeId), query, (rows) => rows.map(presentManagedAt(clock()))),
      getSyncState(lists, communeId),
    ])
    return { data, meta: { ...meta, ...presentSyncState(state, languageOf(acceptLanguage)) } }
  }

  scope.get(
    '/admin/communes/:id/defibrillateurs',
    {
      schema: {
        operationId: 'listManagedCommuneDefibrillateurs',
        summary: 'List the defibrillators of a commune, by name unless sorted',
        params: ByCommune,
        querystring: CommuneQuery,
        response: { 200: ManagedPage },
      },
    },
    async ({ params, query, headers }) => {
      const [answer] = await Promise.all([
        readPage(params.id, query, headers['accept-language']),
        requireRow(lists, 'communes', params.id),
      ])
      return answer
    },
  )

  scope.get(
    '/admin/defibrillateurs-france',
    {
      schema: {
        operationId: 'listManagedDefibrillateurs',
        summary: 'List the defibrillators of France, by name unless sorted',
        querystring: FranceQuery,
        response: { 200: ManagedPage },
      },
    },
    async ({ query, headers }) => readPage(null, query, headers['accept-language']),
  )

  scope.get(
    '/admin/defibrillateurs-france/:id',
    {
      schema: {
        operationId: 'getManagedDefibrillateur',
        summary: 'A defibrillator with what both levels say of it',
        params: ById,
        response: { 200: record(DefibrillateurRecord) },
      },
    },
    async ({ params, caller }) => {
      const [row, present] = await Promise.all([
        getRecord(reads, params.id),
        listPresent(reads, caller, { kind: 'defibrillateur', id: params.id }),
      ])
      return { data: { ...presentManagedAt(clock())(row), present } }
    },
  )

  const updating = { audits: 'defibrillateur.update', refusals: ['precondition_failed'] }

  scope.patch(
    '/admin/defibrillateurs/:id',
    {
      config: updating,
      schema: {
        operationId: 'updateCommuneDefibrillateur',
        summary: 'Set what the commune says of a defibrillator',
        params: ById,
        body: StatutBody,
        response: { 200: record(ManagedDefibrillateur) },
      },
    },
    async ({ params, body, caller }) => {
      const row = await setStatut(db, caller, 'commune', params.id, body)
      return { data: presentManagedAt(clock())(row) }
    },
  )

  scope.patch(
    '/admin/defibrillateurs-france/:id',
    {
      config: updating,
      schema: {
        operationId: 'updateFranceDefibrillateur',
        summary: 'Set the national status of a defibrillator',
        params: ById,
        body: StatutBody,
        response: { 200: record(ManagedDefibrillateur) },
      },
    },
    async ({ params, body, caller }) => {
      const row = await setStatut(db, caller, 'france', params.id, body)
      return { data: presentManagedAt(clock())(row) }
    },
  )
}

/** Sets the status of one level; keeps the note if the body has none. */
function setStatut(db: Database, caller: Caller, level: Level, id: string, body: StatutBody) {
  const action = 'defibrillateur.update'
  return change(db, caller, defibrillateurOf(level), { id, action }, (_tx, before, save) =>
    save({
      statut_admin: body.statut_admin,
      note: body.note === undefined ? before.note : body.note,
    }),
  )
}

const levelOf = (communeId: string | null): Level => (communeId === null ? 'france' : 'commune')

/** The filters of the lists, and of the map. */
export const filtersOf = (level: Level): List<ManagedQuery, unknown>['filters'] => ({
  ids: among('id'),
  q: (q) => isFoundBy(q),
  code_insee: isOfCode,
  statut_admin: among(`statut_admin_${level}`),
  etat_fonctionnement: among('etat_fonctionnement'),
  absent: flag(sql`(absent_depuis is not null)`),
})

const byName: SortKey[] = [{ by: sql`sort_name`, type: 'text' }, byId]

/**
 * The devices of one commune with the communal status, or all with the national one. Those without a commune name or an
 * update date sort last in both directions.
 */
export const managedList = (communeId: string | null): List<ManagedQuery, ManagedRow> => ({
  name: 'defibrillateurs',
  from: sql`defibrillateurs`,
  as: 'defibrillateurs',
  where: communeId === null ? sql`true` : isOfCommune(communeId),
  filters: filtersOf(levelOf(communeId)),
  sorts: {
    nom: byName,
    commune_nom: [{ by: sql`sort_commune`, type: 'text', isNullable: true }, ...byName],
    mis_a_jour_le: [{ by: sql`mis_a_jour_le`, type: 'time', isNullable: true }, byId],
  },
  defaults: { sort: 'nom_asc' },
  columns: managedColumns(levelOf(communeId)),
})
