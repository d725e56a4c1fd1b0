import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { findActualites } from './actualites.ts'
import type { AlerteKind, AlerteText, Broadcast, Message } from './broadcast.ts'
import { findCollectes } from './collectes.ts'
import { alerteMail } from './mail.ts'
import { alerteNotice } from './notice.ts'

/** Reads the message of a broadcast; null if there is nothing to tell any more, which stops the broadcast. */
export function findMessage(db: Database, broadcast: Broadcast, now: Date): Promise<Message | null> {
  if (broadcast.kind === 'actualites') return findActualites(db, broadcast)
  if (broadcast.kind === 'collectes') return findCollectes(db, broadcast, now)
  return findAlerte(db, { ...broadcast, kind: broadcast.kind }, now)
}

type Row = Omit<AlerteText, 'kind' | 'broadcastId'> & {
  commune_id: string | null
  acteur_id: string | null
  /** The communes that show it: its own, those of its mairie, or members of its groups. Their names are read with each recipient. */
  commune_ids: string[]
  /** Groups whose page shows it: those of its acteur of which a member shows it. */
  group_ids: string[]
}

/** Reads an alerte; null if it was deleted, or has ended. For its end: null unless it has ended. */
async function findAlerte(
  db: Database,
  { id, kind, alerte_id }: { id: string; kind: AlerteKind; alerte_id: string | null },
  now: Date,
): Promise<Message | null> {
  const { rows } = await sql<Row>`
    select al.id as "alerteId", al.titre, al.message, al.niveau, al.debut, al.fin, al.commune_id, al.acteur_id,
      coalesce(c.nom, a.nom) as nom,
      array(select commune_id::text from alerte_places where alerte_id = al.id) as commune_ids,
      array(select g.id::text from groups g where g.acteur_id = al.acteur_id and exists (
        select from group_communes m join alerte_places place on place.commune_id = m.commune_id
        where m.group_id = g.id and place.alerte_id = al.id)) as group_ids
    from alertes al left join communes c on c.id = al.commune_id left join acteurs a on a.id = al.acteur_id
    where al.id = ${alerte_id}`.execute(db)
  const [row] = rows
  if (row === undefined || row.commune_ids.length === 0) return null
  const isOver = row.fin !== null && row.fin <= now
  if (isOver !== (kind === 'alerte_fin')) return null
  const { commune_id, acteur_id } = row
  return {
    asks: asksFor(kind, row),
    startsAt: kind === 'alerte' ? row.debut : null,
    audited: {
      ...{ entity: 'alerte', entityId: row.alerteId },
      after: { kind, ...(commune_id && { commune_id }), ...(acteur_id && { acteur_id }) },
    },
    mailTo: (recipient) => alerteMail({ kind, broadcastId: id, ...row }, recipient),
    notice: (recipient) => alerteNotice({ kind, broadcastId: id, ...row }, recipient, now),
  }
}

const over = ['sent', 'uncertain']

/** Its end, and a correction, are told to those who were told of it; a correction also to those whose former text is leaving. */
function asksFor(kind: AlerteKind, { alerteId, niveau, commune_ids, group_ids }: Row) {
  const levels = kind === 'alerte' && niveau !== 'urgence' ? ['all'] : ['urgent', 'all']
  const wasTold = sql<boolean>`exists (
    select from broadcast_deliveries told join broadcasts b on b.id = told.broadcast_id
    where told.subscriber_id = ch.subscriber_id and told.status = any(${kind === 'alerte_fin' ? over : [...over, 'sending']}::text[])
      and b.alerte_id = ${alerteId} and b.kind = 'alerte')`
  return sql<boolean>`(
    ch.confirmed_at is not null and ch.place_id = any(${[...commune_ids, ...group_ids]}::uuid[])
    and ch.alertes = any(${levels}::text[]) and ${kind === 'alerte' ? sql`true` : wasTold})`
}
