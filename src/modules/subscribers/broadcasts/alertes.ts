import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'

export const broadcastKinds = ['alerte', 'alerte_fin'] as const
export type BroadcastKind = (typeof broadcastKinds)[number]

/** What a broadcast tells, read anew for each batch: a correction reaches whoever was not sent the former text. */
export type Message = {
  kind: BroadcastKind
  alerteId: string
  titre: string
  message: string
  niveau: 'info' | 'attention' | 'urgence'
  debut: Date | null
  fin: Date | null
  commune_id: string | null
  acteur_id: string | null
  /** The commune or mairie that speaks. */
  nom: string
  /** Communes that it concerns: its own, or those of its mairie. */
  communes: { id: string; slug: string; nom: string }[]
}
type Broadcast = { id: string; kind: BroadcastKind; alerte_id: string | null }

/** Reads the alerte of a broadcast; null if there is nothing to tell any more, which stops the broadcast. */
export async function findMessage(
  db: Database,
  { kind, alerte_id }: Broadcast,
  now: Date,
): Promise<Message | null> {
  const { rows } = await sql<Omit<Message, 'kind'>>`
    select al.id as "alerteId", al.titre, al.message, al.niveau, al.debut, al.fin, al.commune_id, al.acteur_id,
      coalesce(c.nom, a.nom) as nom, coalesce((
        select json_agg(json_build_object('id', t.id, 'slug', t.slug, 'nom', t.nom) order by t.sort_name, t.id)
        from communes t where t.id = al.commune_id or t.mairie_actor_id = a.id), '[]') as communes
    from alertes al left join communes c on c.id = al.commune_id
    left join acteurs a on a.id = al.acteur_id and a.active and a.deleted_at is null
    where al.id = ${alerte_id}`.execute(db)
  const [row] = rows
  if (row === undefined || row.communes.length === 0) return null
  const isOver = row.fin !== null && row.fin <= now
  return isOver === (kind === 'alerte_fin') ? { kind, ...row } : null
}

/** Matches choices, as `ch`, that ask for the message. Its end is told to those who were told of it. */
export function asksFor({ kind, alerteId, niveau, communes }: Message): RawBuilder<boolean> {
  const levels = niveau === 'urgence' ? ['all', 'urgent'] : ['all']
  const wasTold = sql<boolean>`exists (
    select from broadcast_deliveries told join broadcasts b on b.id = told.broadcast_id
    where told.subscriber_id = ch.subscriber_id and told.status in ('sent', 'uncertain')
      and b.alerte_id = ${alerteId} and b.kind = 'alerte')`
  return sql<boolean>`(
    ch.confirmed_at is not null and ch.commune_id = any(${communes.map(({ id }) => id)}::uuid[])
    and ch.alertes = any(${kind === 'alerte' ? levels : ['all', 'urgent']}::text[])
    and (${kind} = 'alerte' or ${wasTold}))`
}
