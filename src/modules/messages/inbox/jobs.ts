import Type from 'typebox'
import { type Config, settingsOf } from '../../../platform/config/config.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { messagesSettings } from '../settings.ts'
import { openMailbox } from './mailbox.ts'
import { deleteOld, listHandled, type Outcome } from './queries.ts'
import { startReader } from './read-in-worker.ts'
import { receive, type Tools } from './receive.ts'

/** Retried for a day while the mailbox cannot be reached: a schedule waits for the run before. */
const readMails = defineJob('messages.read-inbox', Type.Object({}), {
  ...{ retries: 720, backoffSeconds: 30, maxBackoffSeconds: 120, timeoutSeconds: 600 },
})

export const readMailsSchedules = (config: Config): Schedule[] =>
  settingsOf(config, messagesSettings).inbox === null ? [] : [schedule(readMails, '* * * * *', {})]

/** Mails that arrived before are not looked for. */
const daysBack = 14
/** A mailbox with more is read in several runs. */
const perRun = 500
const perFetch = 20

/** Mails that a person should see in the mailbox stay unread there. */
const staysUnread: Outcome[] = ['unmatched', 'flood']

export function readMailsHandler(deps: Pick<Deps, 'db' | 'config' | 'modules' | 'clock' | 'log'>): Handler {
  const { inbox } = settingsOf(deps.config, messagesSettings)
  return handle(readMails, async (_payload, { signal }) => {
    if (inbox === null) return
    const outcomes = await readMailbox(
      { ...deps, inbox, signal },
      new Date(deps.clock().getTime() - daysBack * 86_400_000),
    )
    if (Object.keys(outcomes).length > 0) deps.log.info({ outcomes }, 'mails of the inbox were read')
    await deleteOld(deps.db)
  })
}

/**
 * Handles each mail that is new, and marks as read those that need nobody in the mailbox. One that cannot be handled stops no
 * other: the run fails at its end, and is tried again.
 */
async function readMailbox(
  given: Omit<Tools, 'reader'> & { signal: AbortSignal },
  since: Date,
): Promise<Partial<Record<Outcome, number>>> {
  const { db, inbox, signal } = given
  const { box } = inbox
  const opened = await openMailbox(box, signal)
  const reader = startReader(signal)
  const tools = { ...given, reader }
  try {
    const lies = { mailbox: `${box.auth.user}@${box.host}/${box.folder}`, uidValidity: opened.uidValidity }
    const listed = await opened.list(since)
    const handled = await listHandled(db, lies, listed)
    // The process may have died before it marked them.
    const unread = (await opened.listUnread(since)).filter((uid) => {
      const outcome = handled.get(uid)
      return outcome !== undefined && !staysUnread.includes(outcome)
    })
    await opened.markRead(unread)
    const fresh = listed.filter((uid) => !handled.has(uid)).slice(0, perRun)
    const counts: Partial<Record<Outcome, number>> = {}
    const failures: Error[] = []
    for (let at = 0; at < fresh.length; at += perFetch) {
      for (const { uid, ...arrived } of await opened.heads(fresh.slice(at, at + perFetch))) {
        signal.throwIfAborted()
        try {
          const outcome = await receive(tools, opened, arrived, { ...lies, uid })
          counts[outcome] = (counts[outcome] ?? 0) + 1
          if (!staysUnread.includes(outcome)) await opened.markRead([uid])
        } catch (error) {
          failures.push(new Error(`mail ${uid} cannot be handled`, { cause: error }))
        }
      }
    }
    signal.throwIfAborted()
    if (failures.length > 0) throw failures[0]
    return counts
  } finally {
    opened.close()
    await reader.end()
  }
}
