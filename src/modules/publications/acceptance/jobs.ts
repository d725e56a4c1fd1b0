import { sql } from 'kysely'
import Type from 'typebox'
import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Handler } from '../../../platform/jobs/job.ts'
import { deletionAfterMonths } from '../../../platform/jobs/sweeps.ts'
import { heldMails } from '../../../platform/mail/held-mails.ts'
import { mailHoldMs, mailTries } from '../../../platform/mail/row-mails.ts'
import { siteAddress } from '../../../platform/mail/site.ts'
import type { Deps } from '../../../platform/module.ts'
import { originsOf } from '../origins.ts'
import { type AcceptanceRow, acceptanceMail } from './mail.ts'
import { dropTakenBack, insertMails, neededMail } from './queries.ts'

const tellOfAcceptance = defineJob(
  'publications.tell-of-acceptance',
  Type.Object({ mailId: Type.String() }),
  mailTries,
)

/** The first publication of mail `m`. */
const firstOf = (column: string) => sql<string>`(
  select ${sql.ref(`p.${column}`)} from accepted_publications named join publications p on p.id = named.publication_id
  where named.mail_id = m.id order by p.title, p.id limit 1)`

export const acceptanceMails = heldMails<AcceptanceRow>({
  job: tellOfAcceptance,
  name: 'publication_acceptance',
  named: 'publication-accepted-',
  table: 'acceptance_mails',
  title: { fr: 'Acceptation d’une publication', en: 'Acceptance of a publication' },
  entity: 'publication',
  area: 'publications',
  recordId: firstOf('id'),
  recordName: firstOf('title'),
  recipient: sql`(select u.email from users u where u.id = m.user_id)`,
  needed: neededMail,
})

/** Enqueues mails to the authors of publications that a decision accepts, with a delay in which an undo can take them back. */
export async function tellOfAcceptances(
  tx: Database,
  { jobs }: Pick<Deps, 'jobs'>,
  { user }: SignedIn,
  publicationIds: string[],
): Promise<void> {
  if (publicationIds.length === 0) return
  const startAfter = new Date(Date.now() + mailHoldMs)
  for (const mailId of await insertMails(tx, publicationIds, user.id))
    await jobs.enqueue(tx, tellOfAcceptance, { mailId }, { startAfter })
}

export function acceptanceHandler(deps: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  const { db, config } = deps
  const sending = acceptanceMails.handler(deps, async (found, to) => {
    const ids = found.publications.map(({ id }) => id)
    const originOf = await originsOf(db, config, ids)
    return acceptanceMail(found, to, {
      from: config.mail.from,
      pageOf: ({ id, slug }) => siteAddress(config, `publications/${slug}`, originOf(id)),
      account: config.backoffice ? `${config.publicUrl}/backoffice/account` : null,
    })
  })
  return {
    ...sending,
    async perform(given, context) {
      await dropTakenBack(db, tellOfAcceptance.readPayload(given).mailId)
      return sending.perform(given, context)
    },
  }
}

export const deleteOldAcceptances = deletionAfterMonths('acceptance_mails', 'created_at')
