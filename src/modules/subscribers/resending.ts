import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import type { Caller } from '../../platform/access/caller.ts'
import { append } from '../../platform/change.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { Id, record, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { type Broadcast, broadcastColumns } from './broadcasts/broadcast.ts'
import { findMessage } from './broadcasts/messages.ts'
import { enqueueSending } from './broadcasts/sending-jobs.ts'

const OfCommune = Type.Object({
  communeId: Id('Identifier of the commune'),
  id: Id('Identifier of an alert of the commune or of its mairie'),
})
const OfActeur = Type.Object({
  acteurId: Id('Identifier of the mairie acteur, or of the acteur of a group of communes'),
  id: Id('Identifier of an alert of the acteur'),
})
const Resent = titled('Resent', {
  count: Type.Integer({ description: 'To how many it is sent again', examples: [5] }),
})

const config = {
  needs: 'alerte.manage',
  limit: 'alert',
  audits: 'notification.resend',
  repeatable: true as const,
  refusals: ['conflict'],
}
const summary = 'Send an alert again to the uncertain: those of whom nobody knows whether they got it'
const descriptionFor = (owner: string) =>
  `Some of them get it twice. Once for each alert, while it is in force: \`can_resend\` in the reach of the ${owner} says whether; else 409.`

export function resendingRoutes(scope: SignedInScope, deps: Deps): void {
  scope.post(
    '/mairie/communes/:communeId/alertes/:id/resend',
    {
      config,
      schema: {
        operationId: 'resendAlerte',
        summary,
        description: descriptionFor('commune'),
        params: OfCommune,
        response: { 200: record(Resent) },
      },
    },
    async ({ params: { communeId, id }, caller }) => {
      const isOwn = sql`(al.commune_id = ${communeId}
        or al.acteur_id = (select mairie_actor_id from communes where id = ${communeId}))`
      return { data: { count: await resend(deps, caller, id, isOwn) } }
    },
  )
}

export function resendingOfActeurRoutes(scope: SignedInScope, deps: Deps): void {
  scope.post(
    '/mairie/acteurs/:acteurId/alertes/:id/resend',
    {
      config,
      schema: {
        operationId: 'resendActeurAlerte',
        summary: `${summary}; of a mairie, or of the acteur of a group`,
        description: descriptionFor('acteur'),
        params: OfActeur,
        response: { 200: record(Resent) },
      },
    },
    async ({ params: { acteurId, id }, caller }) => ({
      data: { count: await resend(deps, caller, id, sql`al.acteur_id = ${acteurId}`) },
    }),
  )
}

/** Queues what is uncertain of the broadcast of an alerte. Returns how many; 409 if it is none, over, or was sent again before. */
function resend(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  caller: Caller,
  alerteId: string,
  isOwn: RawBuilder<unknown>,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Broadcast & { status: string; is_resent: boolean }>`
      select ${broadcastColumns}, status, resent_at is not null as is_resent from broadcasts
      where kind = 'alerte' and alerte_id = (
        select al.id from alertes al where al.id = ${alerteId} and ${isOwn})
      for no key update`.execute(tx)
    const [broadcast] = rows
    if (broadcast === undefined) throw notFound()
    const isOver = broadcast.status === 'stopped' || (await findMessage(tx, broadcast, clock())) === null
    if (isOver || broadcast.is_resent) throw conflict()
    const { rows: again } = await sql`
      update broadcast_deliveries set status = 'queued', status_at = now(), next_at = now(), tries = 0
      where broadcast_id = ${broadcast.id} and status = 'uncertain' returning subscriber_id`.execute(tx)
    const count = again.length
    if (count === 0) throw conflict()
    await sql`
      update broadcasts set uncertain = greatest(uncertain - ${count}::int, 0), resent_at = now(), ended_at = null,
        status = case status when 'ended' then 'sending' else status end
      where id = ${broadcast.id}`.execute(tx)
    await enqueueSending({ jobs }, tx, broadcast)
    const kind = { entity: 'alerte', personal: [] }
    await append(tx, caller, {
      ...{ action: 'notification.resend', kind, entityId: alerteId },
      after: { kind: broadcast.kind, count },
    })
    return count
  })
}
