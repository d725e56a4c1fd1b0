import { leftOf } from '../../../platform/access/rules.ts'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { todayInParis } from '../../../platform/time/paris-time.ts'
import { claimsSettings } from '../../claims/settings.ts'
import { presentManagedAt } from '../../defibrillateurs/present.ts'
import { listOfCommune } from '../../defibrillateurs/queries.ts'
import { listPresent } from '../../presence/queries.ts'
import { withNextDates } from '../calendar.ts'
import { gapsOf } from '../gaps.ts'
import { mergeInfos } from '../infos.ts'
import { findMairieContact } from '../queries.ts'
import { ById } from '../schema.ts'
import { countOfCommune, findMairie, getCommune } from './queries.ts'
import { createCommune, updateCommune } from './rules.ts'
import { CommuneCreate, CommuneFull, CommuneRead, CommuneUpdate, communeActions } from './schema.ts'
import { getLists } from './sub-lists.ts'

export function editingRoutes(scope: SignedInScope, { config, db, reads, clock }: Deps): void {
  const { ttlDays: claimTtlDays } = settingsOf(config, claimsSettings)
  const read = (tx: Database, { id }: { id: string }) => readFull(tx, id, { now: clock(), claimTtlDays })

  scope.post(
    '/admin/communes',
    {
      config: {
        audits: 'commune.create',
        refusals: ['conflict', 'slug_taken'],
        location: '/admin/communes/{id}/full',
      },
      schema: {
        operationId: 'createCommune',
        summary: 'Create a commune',
        body: CommuneCreate,
        response: { 201: record(CommuneFull) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: await createCommune(db, caller, body, read) }),
  )

  scope.patch(
    '/admin/communes/:id',
    {
      config: { audits: 'commune.update', refusals: ['conflict', 'slug_taken', 'precondition_failed'] },
      schema: {
        operationId: 'updateCommune',
        summary: 'Update a commune; sub-lists that are given are replaced whole',
        params: ById,
        body: CommuneUpdate,
        response: { 200: record(CommuneFull) },
      },
    },
    async ({ params, body, caller }) => ({ data: await updateCommune(db, caller, params.id, body, read) }),
  )

  scope.get(
    '/admin/communes/:id/full',
    {
      schema: {
        operationId: 'getCommuneFull',
        summary: 'All there is of a commune',
        params: ById,
        response: { 200: record(CommuneRead) },
      },
    },
    async ({ params, caller }) => {
      // Reads one snapshot: if sub-lists were older than the version, If-Match would allow lost updates.
      const moment = reads.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
      const [commune, present] = await Promise.all([
        moment.execute((tx) => read(tx, params)),
        listPresent(reads, caller, { kind: 'commune', id: params.id }),
      ])
      return { data: { ...commune, present } }
    },
  )
}

/** Reads the complete commune in several statements; the caller's transaction makes them consistent. */
async function readFull(
  tx: Database,
  id: string,
  { now, claimTtlDays }: { now: Date; claimTtlDays: number },
): Promise<CommuneFull> {
  const commune = await getCommune(tx, id)
  const { elus, collectes, infos } = await getLists(tx, id)
  const today = todayInParis(now)
  const defibrillateurs = (await listOfCommune(tx, id)).map(presentManagedAt(now))
  const counts = await countOfCommune(tx, id, claimTtlDays)
  const contact = await findMairieContact(tx, id)
  const merged = mergeInfos(contact, infos)
  return {
    ...commune,
    can: leftOf(communeActions, commune),
    mairie: await findMairie(tx, id),
    infos: merged,
    commune_infos: infos,
    elus,
    collectes: collectes.map((collecte) => withNextDates(collecte, today, commune.departement)),
    defibrillateurs,
    gaps: gapsOf({ elus, collectes, infos: merged, hasMairie: contact !== null }),
    counts: { ...counts, defibrillateurs: defibrillateurs.length },
  }
}
