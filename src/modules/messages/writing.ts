import Type, { type Static } from 'typebox'
import type { Caller } from '../../platform/access/caller.ts'
import { create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { validationFailed } from '../../platform/errors.ts'
import { cleanLine, cleanText, textProblems } from '../../platform/formats/clean-text.ts'
import { messageIdOf, parseTypedAddress } from '../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import {
  filledLine,
  filledText,
  Id,
  nullable,
  oneOf,
  record,
  strictObject,
  text,
  titled,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { insertMessage, insertThread, type ThreadRow } from './queries.ts'
import { thread } from './record.ts'
import { exampleBody, maxBody } from './schema.ts'

const maxNom = 200
const maxSubject = 200

export const MessageCreate = strictObject({
  nom: Type.Optional(nullable(filledLine(maxNom, { examples: ['Odile Vauquelin'] }))),
  email: text(254, {
    description: 'Where it is answered. Nothing is sent there before an operator does',
    examples: ['odile.vauquelin@example.org'],
  }),
  subject: filledLine(maxSubject, { examples: ['Bac non relevé'] }),
  body: filledText(maxBody, { description: 'Plain text', examples: [exampleBody] }),
  commune_id: Type.Optional(nullable(Id('The commune it is about'))),
})
export type MessageCreate = Static<typeof MessageCreate>

const ReceivedMessage = titled('ReceivedSupportMessage', {
  id: Id(),
  number: Type.Integer({
    description:
      'The number to quote when writing about this message again; replies have it in their subject',
    examples: [1042],
  }),
  status: oneOf(['open']),
})
type ReceivedMessage = Static<typeof ReceivedMessage>

export function writeMessageRoutes(scope: HttpServer, { db, config }: Deps): void {
  scope.post(
    '/support/messages',
    {
      config: {
        limit: 'support',
        refusals: ['unauthenticated'],
        audits: 'thread.create',
        location: '/admin/messages/threads/{id}',
      },
      schema: {
        operationId: 'createSupportMessage',
        summary: 'Write to the support; a token, when there is one, says who writes',
        body: MessageCreate,
        response: { 201: record(ReceivedMessage) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: await receiveMessage(db, caller, body, config.mail.from) }),
  )
}

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
  const address = parseTypedAddress(email)
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
