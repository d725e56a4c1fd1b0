import type { Caller } from '../../../platform/access/caller.ts'
import { create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { validationFailed } from '../../../platform/errors.ts'
import { cleanLine, cleanText, textProblems } from '../../../platform/formats/clean-text.ts'
import { messageIdOf, parseMailAddress } from '../../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertMessage, insertThread, type ThreadRow } from '../queries.ts'
import { thread } from '../record.ts'
import { maxBody } from '../schema.ts'
import { type MessageCreate, maxNom, maxSubject, type ReceivedMessage } from './schema.ts'

/** Starts a new thread for each public message. Mails nothing to the given address. */
export function receiveMessage(
  db: Database,
  caller: Caller,
  given: MessageCreate,
  mailFrom: string,
): Promise<ReceivedMessage> {
  const { body, ...values } = clean(given)
  const author_id = caller.user?.id ?? null
  return create(db, caller, thread, { action: 'thread.create', read: received }, async (tx) => {
    const row = await insertThread(tx, { ...values, id: uuidv7(), user_id: author_id }, body)
    const id = uuidv7()
    const message_id = messageIdOf(`support-${id}`, mailFrom)
    await insertMessage(tx, { id, thread_id: row.id, direction: 'inbound', body, author_id, message_id })
    return { ...row, body }
  })
}

/** The whole response, which is also stored for repeated requests. */
const received = async (_tx: Database, { id, number }: ThreadRow): Promise<ReceivedMessage> => ({
  id,
  number,
  status: 'open',
})

/** Cleans the texts, and normalises the address as mails do, so that one address is one person. */
function clean({ nom = null, email, subject, body, commune_id = null }: MessageCreate) {
  const texts = { nom: nom && cleanLine(nom), subject: cleanLine(subject), body: cleanText(body) }
  const address = parseMailAddress(email)
  const problems = [
    ...(texts.nom === null ? [] : textProblems('nom', texts.nom, maxNom)),
    ...textProblems('subject', texts.subject, maxSubject),
    ...textProblems('body', texts.body, maxBody),
  ]
  if (address === null) problems.push({ field: 'email', message: noAddress })
  if (address === null || problems.length > 0) throw validationFailed(problems)
  return { ...texts, email: address, commune_id }
}

const noAddress = { en: 'must be a valid e-mail address', fr: 'doit être une adresse e-mail valide' }
