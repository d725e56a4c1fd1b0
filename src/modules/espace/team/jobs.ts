import { sql } from 'kysely'
import Type from 'typebox'
import { operator } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { oneMail, sendOrRetry } from '../../../platform/mail/send-one.ts'
import { spaceAddress } from '../../../platform/mail/space.ts'
import type { Deps } from '../../../platform/module.ts'
import { acteur } from '../../acteurs/record.ts'
import { type AddedMember, memberMail } from './mail.ts'
import { deleteExpiredInvitations, deleteIdleAccounts } from './queries.ts'
import { audited } from './record.ts'

/** Tells somebody that they joined a team or are invited to it. The mail holds no token. */
export const mailMember = defineJob(
  'espace.mail-member',
  Type.Object({ acteurId: Type.String(), userId: Type.String() }),
  oneMail,
)

export function mailMemberHandler(deps: Deps): Handler {
  const { db, config } = deps
  return handle(mailMember, async ({ acteurId, userId }, context) => {
    const added = await findAdded(db, acteurId, userId)
    if (added === null) return
    const page = spaceAddress(config, added.acteur_id)
    await sendOrRetry(deps, memberMail(added, { from: config.mail.from, page }), context)
  })
}

/** Reads the membership, also where the acteur was merged meanwhile; null if it was removed or its time is over. */
async function findAdded(db: Database, acteurId: string, userId: string): Promise<AddedMember | null> {
  const { rows } = await sql<AddedMember>`
    select m.acteur_id, m.user_id, a.nom as acteur_nom, m.role, u.email, u.langue, m.invited_until
    from acteurs named join acteurs a on a.id = coalesce(named.merged_into, named.id)
    join actor_users m on m.acteur_id = a.id join users u on u.id = m.user_id
    where named.id = ${acteurId} and u.id = ${userId} and u.actif and u.email is not null
      and a.deleted_at is null and (m.invited_until is null or m.invited_until > now())`.execute(db)
  return rows[0] ?? null
}

const expire = defineJob('espace.expire-invitations', Type.Object({}))

/** Deletes invitations that nobody came for, and with them addresses for which nothing else waits. */
export async function expireInvitations(db: Database, signal: AbortSignal, batch = 200): Promise<number> {
  for (let count = 0; ; ) {
    signal.throwIfAborted()
    const expired = await db.transaction().execute(async (tx) => {
      const rows = await deleteExpiredInvitations(tx, batch)
      await append(
        tx,
        operator,
        rows.map((row) => ({
          action: 'acteur.invitation_expire',
          kind: acteur,
          entityId: row.acteur_id,
          before: audited(row),
        })),
      )
      await deleteIdleAccounts(tx, [...new Set(rows.map(({ user_id }) => user_id))])
      return rows.length
    })
    count += expired
    if (expired < batch) return count
  }
}

export function expireHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(expire, async (_payload, { signal }) => {
    const expired = await expireInvitations(db, signal)
    if (expired > 0) log.info({ expired }, 'invitations expired')
  })
}

export const expireSchedule: Schedule = schedule(expire, '50 4 * * *', {})
