import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { parseMailAddress } from '../formats/mail-address.ts'
import { uuidv7 } from '../formats/uuid.ts'
import { type Handler, handle, type Job } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Mail } from './mail.ts'
import type { Mailer } from './mailer.ts'
import { deleteRowMail, type ListedMailKind, mailHoldMs, sendRowMail } from './row-mails.ts'

type MailJob = Job<{ mailId: string }>
type Held = Omit<ListedMailKind, 'queue' | 'holdMs' | 'isNeeded' | 'enqueue'> & {
  job: MailJob
  /** Selects the mails that are still needed: `id`, `address` and what their text says. */
  needed: RawBuilder<unknown>
}

/**
 * Mails about decisions, each a row of a table that exists only for them. They are held for a while, in which the decision
 * can be taken back: a row that `needed` no longer selects is deleted in place of being sent.
 */
export function heldMails<Found extends { address: string }>({ job, needed, ...listed }: Held) {
  const kind: ListedMailKind = {
    ...listed,
    queue: job.name,
    holdMs: mailHoldMs,
    isNeeded: sql`exists (select from (${needed}) needed where needed.id = m.id)`,
    enqueue: (tx, jobs, mailId) => jobs.enqueue(tx, job, { mailId }),
  }
  /** Returns a mail with its recipient; null if it is no longer needed. */
  async function find(db: Database, id: string): Promise<Found | null> {
    const { rows } = await sql<Found>`select * from (${needed}) needed where needed.id = ${id}`.execute(db)
    return rows[0] ?? null
  }
  return {
    ...kind,
    find,
    /** Inserts these rows, all with the same columns, and enqueues their mails. */
    async insert<Row extends object>(
      tx: Database,
      jobs: Pick<Jobs, 'enqueue'>,
      rows: Row[],
      { by = job }: { by?: MailJob } = {},
    ): Promise<void> {
      if (rows.length === 0) return
      const mails = rows.map((row) => ({ id: uuidv7(), ...row }))
      const columns = sql.join(Object.keys(mails[0] ?? {}).map((name) => sql.ref(name)))
      await sql`
        insert into ${sql.table(kind.table)} (${columns})
        select ${columns} from jsonb_populate_recordset(null::${sql.table(kind.table)}, ${JSON.stringify(mails)}::jsonb)`.execute(
        tx,
      )
      const startAfter = new Date(Date.now() + mailHoldMs)
      for (const { id: mailId } of mails) await jobs.enqueue(tx, by, { mailId }, { startAfter })
    },
    handler(
      { db, mailer }: { db: Database; mailer: Mailer },
      write: (found: Found, to: string) => Mail | Promise<Mail>,
      of: MailJob = job,
    ): Handler {
      return handle(of, async ({ mailId }, context) => {
        const found = await find(db, mailId)
        const address = found === null ? null : parseMailAddress(found.address)
        if (found === null || address === null) return deleteRowMail(db, kind, mailId)
        await sendRowMail({ db, mailer }, kind, mailId, await write(found, address), context)
      })
    },
  }
}
