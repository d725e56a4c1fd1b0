import { sql } from 'kysely'
import Type from 'typebox'
import { operator } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import {
  directMails,
  oneMail,
  recordOfDirectMail,
  sendDirectMail,
} from '../../../platform/mail/direct-mails.ts'
import type { AnsweredMail } from '../../../platform/mail/row-mails.ts'
import { spaceAddress } from '../../../platform/mail/space.ts'
import type { Deps } from '../../../platform/module.ts'
import { acteur } from '../../acteurs/record.ts'
import { answersTo } from '../../messages/inbox/address.ts'
import { deleteIdleAccounts, findAccount } from '../accounts.ts'
import { named, teamInvitationMail } from './mail.ts'
import { auditedInvitation, deleteOver, findAnswered, findForMail, findName } from './queries.ts'

/** Sends an invitation. The mail holds no token. */
export const mailTeamInvitation = defineJob(
  'espace.mail-invitation',
  Type.Object({
    invitationId: Type.String(),
    invitedBy: Type.Optional(Type.String()),
    mailId: Type.Optional(Type.String()),
  }),
  oneMail,
)

/** About the acteur. The address may be nobody's yet. */
export const teamInvitationMails = directMails({
  job: mailTeamInvitation,
  name: 'team_invitation',
  title: { fr: 'Invitation dans une équipe', en: 'Invitation to a team' },
  entity: 'acteur',
  area: 'acteurs',
  recordId: sql`coalesce((select i.acteur_id from team_invitations i where i.id = m.record_id), m.record_id)`,
  recordName: sql`(
    select a.nom from team_invitations i join acteurs a on a.id = i.acteur_id where i.id = m.record_id)`,
  recipient: sql`(select i.email from team_invitations i where i.id = m.record_id)`,
  isNeeded: sql`exists (
    select from team_invitations i where i.id = m.record_id and i.ended_at is null and i.invited_until > now())`,
  enqueue: async (tx, jobs, mailId) =>
    jobs.enqueue(tx, mailTeamInvitation, { invitationId: await recordOfDirectMail(tx, mailId), mailId }),
})

export function mailInvitationHandler(deps: Deps): Handler {
  const { db, config } = deps
  return handle(mailTeamInvitation, async ({ invitationId, invitedBy, mailId }, context) => {
    const invitation = await findForMail(db, invitationId)
    if (invitation === null) return
    const { actif, langue } = (await findAccount(db, invitation.email)) ?? {
      actif: true,
      langue: 'fr' as const,
    }
    // A disabled account cannot sign in to accept.
    if (!actif) return
    const inviter = invitedBy === undefined ? null : await findName(db, invitedBy)
    const answers = answersTo(config, `${named}${invitationId}`)
    const mail = { from: config.mail.from, answers, page: spaceAddress(config), inviter }
    const about = { userId: null, recordId: invitationId, mailId }
    const written = teamInvitationMail({ ...invitation, langue }, mail)
    await sendDirectMail(deps, teamInvitationMails, about, written, context)
  })
}

export const answeredInvitations: AnsweredMail = {
  named,
  record: 'acteur',
  async find({ db }, id) {
    const invitation = await findAnswered(db, id)
    return invitation === null ? null : { recordId: invitation.acteur_id, address: invitation.email }
  },
}

const expire = defineJob('espace.expire-invitations', Type.Object({}))

/** Deletes invitations that nobody accepted, and with them addresses for which nothing else waits. */
export async function expireInvitations(db: Database, signal: AbortSignal, batch = 200): Promise<number> {
  for (let count = 0; ; ) {
    signal.throwIfAborted()
    const over = await db.transaction().execute(async (tx) => {
      const rows = await deleteOver(tx, batch)
      const expired = rows.filter(({ has_ended }) => !has_ended)
      await append(
        tx,
        operator,
        expired.map((row) => ({
          action: 'acteur.invitation_expire',
          kind: acteur,
          entityId: row.acteur_id,
          before: auditedInvitation(row),
        })),
      )
      await deleteIdleAccounts(tx, { emails: [...new Set(rows.map(({ email }) => email))] })
      return { rows: rows.length, expired: expired.length }
    })
    count += over.expired
    if (over.rows < batch) return count
  }
}

export function expireHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(expire, async (_payload, { signal }) => {
    const expired = await expireInvitations(db, signal)
    if (expired > 0) log.info({ expired }, 'invitations expired')
  })
}

export const expireSchedule: Schedule = schedule(expire, '50 4 * * *', {})
