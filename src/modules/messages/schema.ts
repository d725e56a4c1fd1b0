import Type, { type Static } from 'typebox'
import { always } from '../../platform/access/rules.ts'
import { Can, Id, NullableUserName, nullable, oneOf, ResponseTimestamp } from '../../platform/http/schemas.ts'
import { emailStatuses } from '../../platform/mail/row-mails.ts'

export const statuses = ['open', 'closed'] as const
export const flags = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const

export const exampleBody = 'Bonjour, le bac de la rue du Puits n’a pas été relevé depuis deux semaines.'
export const exampleResponse = 'Bonjour, la tournée passe de nouveau dès lundi. Merci de nous l’avoir dit !'

/** Maximum length of messages and replies. */
export const maxBody = 10_000

const Stored = Type.Object({
  id: Id(),
  number: Type.Integer({ description: 'In the subject of each mail', examples: [1042] }),
  subject: Type.String({ examples: ['Bac non relevé'] }),
  nom: nullable(Type.String({ examples: ['Odile Vauquelin'] })),
  email: nullable(
    Type.String({
      description: 'As whoever wrote typed it: nobody has verified it. Null once they had it erased',
      examples: ['odile.vauquelin@example.org'],
    }),
  ),
  user_id: nullable(Id('Who wrote, when signed in')),
  commune_id: nullable(Id('The commune it is about')),
  status: oneOf(statuses),
  unread: Type.Boolean({ examples: [true] }),
  flag: nullable(oneOf(flags)),
  last_message_at: ResponseTimestamp(),
  messages_count: Type.Integer({ examples: [1] }),
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp(),
})
/** Stored fields of a thread that responses show. */
export const storedThread = Stored.properties
export type StoredThread = Static<typeof Stored>

/** Actions that each state allows. Without an address, because it was erased, nobody can reply. */
export const threadActions = {
  read: ({ unread }: StoredThread) => unread,
  unread: ({ unread }: StoredThread) => !unread,
  flag: always,
  close: always,
  reply: ({ email }: Pick<StoredThread, 'email'>) => email !== null,
}

export const Thread = Type.Object(
  { ...storedThread, user: NullableUserName, can: Can(threadActions) },
  { title: 'SupportThread' },
)
/** A thread as the query returns it. */
export type Thread = Omit<Static<typeof Thread>, 'can'>

const Author = Type.Object(
  { id: nullable(Id('The account')), nom: nullable(Type.String({ examples: ['Odile Vauquelin'] })) },
  { title: 'SupportMessageAuthor' },
)

export const Message = Type.Object(
  {
    id: Id(),
    thread_id: Id(),
    direction: oneOf(['inbound', 'outbound'], '`outbound`: an answer of an operator, sent by mail'),
    body: Type.String({ description: 'Plain text', examples: [exampleResponse] }),
    author: Author,
    email_status: nullable(
      oneOf(
        emailStatuses,
        '`failed` surely never arrived, `uncertain` may have: both can be sent again. Null: not a mail',
      ),
    ),
    email_error: nullable(
      Type.String({
        description: 'What the mail server said to the last try, without addresses',
        examples: ['452 4.2.2 Mailbox full'],
      }),
    ),
    created_at: ResponseTimestamp(),
  },
  { title: 'SupportMessage' },
)
export type Message = Static<typeof Message>

export const ById = Type.Object({ id: Id('The thread') })
