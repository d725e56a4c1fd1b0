import { sql } from 'kysely'
import { operator } from '../../../platform/access/caller.ts'
import { change, create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { foldMailAddress, messageIdOf } from '../../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { describeMailError } from '../../../platform/mail/mail.ts'
import { failSentMail } from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { insertMessage, insertThread } from '../queries.ts'
import { thread } from '../record.ts'
import type { Inbox } from '../settings.ts'
import { namesIn, readName } from './address.ts'
import type { Body } from './body.ts'
import { type Head, readHead } from './head.ts'
import type { Arrived, OpenMailbox } from './mailbox.ts'
import {
  type About,
  countRecent,
  countRecentAbout,
  findThreadAbout,
  findThreadOfMessage,
  insertReceived,
  type Outcome,
  type Place,
  type Sender,
} from './queries.ts'
import { type BodyReader, MailUnreadable } from './read-in-worker.ts'

const maxBytes = 10 * 1024 * 1024
const maxReportBytes = 1024 * 1024
/** What one thread, and one record without a thread, takes in an hour: more is a loop, or meant to disturb. */
const maxPerHour = { messages: 20, threads: 5 }

export type Tools = Pick<Deps, 'db' | 'config' | 'modules'> & { inbox: Inbox; reader: BodyReader }
type Mail = { head: Head; place: Place }
/** `about`: of answers to mails that belong to no thread. `address`: where we had written, if that is known. */
type Target = { threadId: string } | { about: About; address: string | null }

/** Handles a mail once. The transaction that stores what it becomes also stores that it is handled. */
export async function receive(
  tools: Tools,
  box: Pick<OpenMailbox, 'source'>,
  { bytes, head: source }: Omit<Arrived, 'uid'>,
  place: Place,
): Promise<Outcome> {
  const { db, inbox, config } = tools
  const head = await readHead(source, inbox, config.mail.from)
  if (head === null) return note(db, { place, head: null }, 'unmatched')
  const mail = { head, place }
  if (head.kind === 'loop' || head.kind === 'auto_reply') return note(db, mail, head.kind)
  if (head.kind === 'report') {
    await receiveReport(tools, head, await box.source(place.uid, maxReportBytes))
    return note(db, mail, 'report')
  }
  const target = await findTarget(tools, head)
  if (target === null) return note(db, mail, 'unmatched')
  const body = await readAnswer(tools, bytes > maxBytes ? null : await box.source(place.uid, maxBytes))
  return 'threadId' in target
    ? addMessage(tools, mail, body, target.threadId)
    : beginThread(tools, mail, body, target)
}

/** Stores that a mail is handled without becoming a message. */
async function note(
  db: Database,
  { place, head }: { place: Place; head: Head | null },
  outcome: Exclude<Outcome, 'message'>,
): Promise<Outcome> {
  if (await insertReceived(db, place, outcome, head?.fingerprint ?? null)) return outcome
  await insertReceived(db, place, 'repeated', null)
  return 'repeated'
}

/** Finds what a mail answers. */
async function findTarget({ db, config, modules }: Tools, { names, from }: Head): Promise<Target | null> {
  const answered = modules.flatMap(({ office }) => office?.answered ?? [])
  for (const { prefix, id } of names.flatMap((name) => readName(name) ?? [])) {
    const threadId = prefix === 'support-' ? await findThreadOfMessage(db, id) : null
    if (threadId !== null) return { threadId }
    const kind = answered.find(({ named }) => prefix.startsWith(named))
    const found = (await kind?.find({ db, config }, id)) ?? null
    // Without an address nobody could write back.
    if (kind === undefined || found === null || from === null) continue
    const about = { kind: kind.record, id: found.recordId }
    const earlier = await findThreadAbout(db, about, from)
    return earlier === null ? { about, address: found.address } : { threadId: earlier }
  }
  return null
}

type Answer = Pick<Body, 'said' | 'quoted' | 'attachments'> & { problem: 'too_large' | 'unreadable' | null }

/** Reads an answer. One that cannot be read is told of all the same: it lies in the mailbox. */
async function readAnswer({ reader }: Tools, source: Buffer | null): Promise<Answer> {
  const nothing = { said: '…', quoted: null, attachments: [] }
  if (source === null) return { ...nothing, problem: 'too_large' }
  try {
    const { said, quoted, attachments } = await reader.read(source)
    return { said: said === '' ? nothing.said : said, quoted, attachments, problem: null }
  } catch (error) {
    if (!(error instanceof MailUnreadable)) throw error
    return { ...nothing, problem: 'unreadable' }
  }
}

/** Thrown within a transaction to undo it: another instance has handled the mail, or it arrived before. */
class HandledBefore extends Error {}

async function unlessHandled(tools: Tools, mail: Mail, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof HandledBefore)) throw error
    return note(tools.db, mail, 'repeated')
  }
}

function addMessage(tools: Tools, mail: Mail, answer: Answer, threadId: string): Promise<Outcome> {
  const wanted = { id: threadId, action: 'thread.receive' }
  return unlessHandled(tools, mail, () =>
    change(tools.db, operator, thread, wanted, async (tx, before, save) => {
      const isErased = before.email === null
      if (isErased || (await countRecent(tx, threadId)) >= maxPerHour.messages) {
        await save({})
        return note(tx, mail, isErased ? 'unmatched' : 'flood')
      }
      const { id, created_at } = await storeMessage(tools, tx, mail, answer, {
        threadId,
        address: before.email,
      })
      const addedMessage = { body: answer.said, at: created_at }
      await save(
        { status: 'open', unread: true, addedMessage },
        { after: { message_id: id, body: answer.said } },
      )
      return 'message'
    }),
  )
}

/** Begins a thread with whoever wrote: their address may be another than the one that the mail went to. */
async function beginThread(
  tools: Tools,
  mail: Mail,
  answer: Answer,
  { about, address }: { about: About; address: string | null },
): Promise<Outcome> {
  const { db } = tools
  if ((await countRecentAbout(db, about)) >= maxPerHour.threads) return note(db, mail, 'flood')
  const { subject, nom, from } = mail.head
  return unlessHandled(tools, mail, async () => {
    await create(db, operator, thread, { action: 'thread.create' }, async (tx) => {
      const values = {
        id: uuidv7(),
        subject: subject || '…',
        nom,
        email: from,
        about_kind: about.kind,
        about_id: about.id,
      }
      const row = await insertThread(tx, values, answer.said)
      await storeMessage(tools, tx, mail, answer, { threadId: row.id, address })
      return { ...row, body: answer.said }
    })
    return 'message'
  })
}

async function storeMessage(
  { config }: Tools,
  tx: Database,
  { head, place }: Mail,
  { said, ...contents }: Answer,
  { threadId, address }: { threadId: string; address: string | null },
): Promise<{ id: string; created_at: Date }> {
  const id = uuidv7()
  const message = await insertMessage(tx, {
    ...{ id, thread_id: threadId, direction: 'inbound', body: said },
    message_id: messageIdOf(`support-${id}`, config.mail.from),
    // Read while the thread is locked, so that the times of its messages increase.
    created_at: sql`clock_timestamp()`,
  })
  const sender = senderOf(head, address)
  const stored = {
    ...contents,
    message_id: id,
    sender,
    from_address: sender === 'same' ? null : (head.from ?? ''),
  }
  if (!(await insertReceived(tx, place, 'message', head.fingerprint, stored))) throw new HandledBefore()
  return message
}

function senderOf({ from, isForged }: Head, address: string | null): Sender {
  if (from === null || address === null || foldMailAddress(from) !== foldMailAddress(address)) return 'other'
  return isForged ? 'forged' : 'same'
}

/** Notes on a mail of ours that it did not arrive. A report that one is late changes nothing. */
async function receiveReport(
  { db, inbox, modules, reader }: Tools,
  head: Head,
  source: Buffer,
): Promise<void> {
  const report = await reader.read(source).then(
    (body) => body.report,
    (error: unknown) => {
      if (error instanceof MailUnreadable) return null
      throw error
    },
  )
  if (report === null || !report.hasFailed) return
  const kinds = modules.flatMap(({ office }) => [
    ...(office?.mails ?? []),
    ...(office?.answered ?? []).flatMap(({ named, mail }) => (mail === undefined ? [] : { ...mail, named })),
  ])
  const names = [...head.names, ...namesIn(inbox, [], report.messageId === null ? [] : [report.messageId])]
  for (const { prefix, id } of names.flatMap((name) => readName(name) ?? [])) {
    const kind = kinds.find(({ named }) => prefix.startsWith(named))
    const error = describeMailError(`returned: ${report.error}`)
    if (kind !== undefined && (await failSentMail(db, kind, id, error))) return
  }
}
