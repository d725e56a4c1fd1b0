import { insertMessage, insertThread, updateThread } from '../src/modules/messages/queries.ts'
import type { Thread } from '../src/modules/messages/schema.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { messageIdOf } from '../src/platform/formats/mail-address.ts'
import { uuidv7At } from '../src/platform/formats/uuid.ts'
import { mapCommuneIds, mapIds, readData } from './data.ts'
import { type Moment, moment } from './times.ts'

export type DemoThread = Pick<Thread, 'subject' | 'nom' | 'status' | 'unread' | 'flag'> & {
  email: string
  /** INSEE code of the commune. */
  commune: string | null
  closed_at?: Moment
  messages: DemoMessage[]
}
/** A message: the first is from the public; an operator's message has its mail status. */
type DemoMessage = {
  body: string
  created_at: Moment
  /** Address of the operator. */
  by?: string
  email_status?: string
  email_error?: string
}

/** Inserts threads of every state, oldest first, so that their numbers increase. Nothing is mailed. */
export async function insertDemoThreads(db: Database, now: Date): Promise<void> {
  const threads = await readData<DemoThread[]>('content/messages.json')
  const communes = await mapCommuneIds(
    db,
    threads.flatMap(({ commune }) => commune ?? []),
  )
  const operators = await mapIds(db, 'users', 'email')
  for (const { commune, closed_at, messages, ...thread } of threads) {
    const [first = { body: '', created_at: {} }, ...replies] = messages
    const created_at = moment(first.created_at, now)
    const id = uuidv7At(created_at.getTime())
    const commune_id = communes.get(commune ?? '') ?? null
    const closed = { closed_at: closed_at === undefined ? null : moment(closed_at, now) }
    const begun = { id, ...thread, ...closed, commune_id, created_at, last_message_at: created_at }
    await insertThread(db, begun, first.body)
    await insertMessage(db, { ...messageOf(id, created_at), direction: 'inbound', body: first.body })
    for (const { by = '', body, created_at, ...mail } of replies) {
      const at = moment(created_at, now)
      const author_id = operators.get(by) ?? null
      const sent = { ...mail, email_status_at: at, author_id, direction: 'outbound' }
      await insertMessage(db, { ...messageOf(id, at), ...sent, body })
      await updateThread(db, id, { addedMessage: { body, at } })
    }
  }
}

function messageOf(thread_id: string, created_at: Date) {
  const id = uuidv7At(created_at.getTime())
  const message_id = messageIdOf(`support-${id}`, 'parvis@localhost.localdomain')
  return { id, thread_id, message_id, created_at }
}
