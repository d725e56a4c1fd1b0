import { sql } from 'kysely'
import Type from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { jsonTime } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob, type Handler } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { heldMails } from '../../platform/mail/held-mails.ts'
import { mailTries } from '../../platform/mail/row-mails.ts'
import type { Deps } from '../../platform/module.ts'
import { originFinder } from '../domains/proven.ts'
import { objectionLinks, objectionUntil } from '../grounds/objecting.ts'
import { holdsOfActeur } from '../grounds/statements.ts'
import { deactivatedMail, type MailRow } from './notify.mail.ts'

/** Tells an owner that an acteur was deactivated. */
export const mailOwner = defineJob('acteurs.tell-owner', Type.Object({ mailId: Type.String() }), mailTries)

/** Condition: user `u` is an owner of acteur `a` and has a verified address. */
const isTold = sql<boolean>`(u.email_verified and u.actif and exists (
  select from actor_users o where o.acteur_id = a.id and o.user_id = u.id and o.role = 'owner'))`

/** Lists who is told of what restricts an acteur. */
export async function listToldOfActeur(tx: Database, acteurId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from acteurs a join actor_users member on member.acteur_id = a.id join users u on u.id = member.user_id
    where a.id = ${acteurId} and ${isTold} order by u.id`.execute(tx)
  return rows.map(({ id }) => id)
}

type Found = MailRow & { statement_id: string; user_id: string; commune_ids: string[]; group_ids: string[] }

export const ownerMails = heldMails<Found>({
  job: mailOwner,
  name: 'acteur_deactivation',
  named: 'acteur-deactivated-',
  table: 'acteur_mails',
  title: { fr: 'Désactivation d’un acteur', en: 'Deactivation of an organisation' },
  entity: 'acteur',
  area: 'acteurs',
  recordId: sql`(select s.record_id from statements s where s.id = m.statement_id)`,
  recordName: sql`(
    select a.nom from statements s join acteurs a on a.id = s.record_id where s.id = m.statement_id)`,
  recipient: sql`(select u.email from users u where u.id = m.user_id)`,
  // Until the acteur is active again.
  needed: sql`
    select m.id, s.title, s.ground, s.reason, s.by_report, ${jsonTime(sql`s.decided_at`)} as at, ${jsonTime(objectionUntil(sql`s.decided_at`))} as until,
      s.id as statement_id, u.id as user_id, u.nom, u.email as address, u.langue,
      array_remove(array[a.commune_id], null) as commune_ids,
      array(select g.id from groups g where g.acteur_id = a.id order by g.id) as group_ids
    from acteur_mails m join statements s on s.id = m.statement_id join acteurs a on a.id = s.record_id
    join users u on u.id = m.user_id
    where ${holdsOfActeur()} and ${isTold}`,
})

/** Enqueues a mail to each owner about these statements, except the caller, with a delay in which it can be taken back. */
export async function queueMails(
  tx: Database,
  jobs: Pick<Jobs, 'enqueue'>,
  { user }: SignedIn,
  statementIds: string[],
): Promise<void> {
  const { rows } = await sql<{ statement_id: string; user_id: string }>`
    select s.id as statement_id, u.id as user_id
    from statements s join acteurs a on a.id = s.record_id
    join actor_users member on member.acteur_id = a.id join users u on u.id = member.user_id
    where s.id = any(${statementIds}::uuid[]) and ${isTold} and u.id <> ${user.id}
    order by s.id, u.id`.execute(tx)
  await ownerMails.insert(tx, jobs, rows)
}

export function mailOwnerHandler(deps: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  const { from } = deps.config.mail
  const links = objectionLinks(deps.config)
  return ownerMails.handler(deps, async (found, to) => {
    const origin = (await originFinder(deps.db, deps.config))(found.commune_ids, found.group_ids)
    const objection = links.linkOf({ about: 'statement', id: found.statement_id, by: found.user_id }, origin)
    return deactivatedMail(found, to, { from, objection })
  })
}
