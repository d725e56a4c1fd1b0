import { sql } from 'kysely'
import Type from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob, type Handler } from '../../platform/jobs/job.ts'
import { heldMails } from '../../platform/mail/held-mails.ts'
import { mailTries } from '../../platform/mail/row-mails.ts'
import { spaceAddress } from '../../platform/mail/space.ts'
import type { Deps } from '../../platform/module.ts'
import { type HiddenAlerte, hiddenMail } from './hiding.mail.ts'

/** Tells a member of the team of a group that a mairie hides its alert. */
const mailOfHiding = defineJob('alertes.tell-of-hiding', Type.Object({ mailId: Type.String() }), mailTries)

/** Condition: user `u` may write alert `al` for its group, as a member `o` of the team, and has a verified address. */
const isTold = sql<boolean>`(u.email_verified and u.actif
  and (o.role = 'owner' or o.permissions && array['manage_commune', 'publish_publications']))`

export const hidingMails = heldMails<HiddenAlerte>({
  job: mailOfHiding,
  name: 'alerte_hiding',
  named: 'alerte-hidden-',
  table: 'alerte_hiding_mails',
  title: { fr: 'Alerte masquée par une mairie', en: 'Alert hidden by a mairie' },
  entity: 'alerte',
  area: 'alertes',
  recordId: sql`m.alerte_id`,
  recordName: sql`(select al.titre from alertes al where al.id = m.alerte_id)`,
  recipient: sql`(select u.email from users u where u.id = m.user_id)`,
  // The row of a mail whose commune shows the alert again does not exist any more.
  needed: sql`
    select m.id, al.titre, al.acteur_id, c.nom as commune, u.nom, u.email as address, u.langue
    from alerte_hiding_mails m join alertes al on al.id = m.alerte_id join communes c on c.id = m.commune_id
    join users u on u.id = m.user_id join actor_users o on o.acteur_id = al.acteur_id and o.user_id = u.id
    where ${isTold}`,
})

/**
 * Enqueues a mail to each member who writes alerts of the group, except the caller, with a delay in which showing it again
 * can take it back.
 */
export async function queueMails(
  tx: Database,
  { jobs }: Pick<Deps, 'jobs'>,
  { user }: SignedIn,
  { alerteId, communeId }: { alerteId: string; communeId: string },
): Promise<void> {
  const { rows } = await sql<{ alerte_id: string; commune_id: string; user_id: string }>`
    select al.id as alerte_id, ${communeId}::uuid as commune_id, u.id as user_id
    from alertes al join actor_users o on o.acteur_id = al.acteur_id join users u on u.id = o.user_id
    where al.id = ${alerteId} and ${isTold} and u.id <> ${user.id} order by u.id`.execute(tx)
  await hidingMails.insert(tx, jobs, rows)
}

export const mailOfHidingHandler = (deps: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler =>
  hidingMails.handler(deps, (found, to) =>
    hiddenMail(found, to, {
      from: deps.config.mail.from,
      page: spaceAddress(deps.config, found.acteur_id, 'alertes'),
    }),
  )
