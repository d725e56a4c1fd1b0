import { requireCommune } from '../../../platform/access/mairies.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { listPage } from '../../../platform/http/listing/list-page.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { listPresent } from '../../presence/queries.ts'
import { presentManagedAt, presentSyncState } from '../present.ts'
import { getRecord, getSyncState } from '../queries.ts'
import { DefibrillateurRecord, ManagedDefibrillateur, StatutBody } from '../schema.ts'
import { managedList } from './queries.ts'
import { setStatut } from './rules.ts'
import { ByCommune, ById, CommuneQuery, FranceQuery, ManagedPage, type ManagedQuery } from './schema.ts'

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
        requireCommune(lists, params.id),
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
