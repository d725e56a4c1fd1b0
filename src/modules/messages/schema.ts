import Type, { type Static } from 'typebox'
import { always } from '../../platform/access/rules.ts'
import {
  Can,
  EmailError,
  Id,
  NullableUserName,
  nullable,
  oneOf,
  ResponseTimestamp,
  Timestamp,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { answeredRecords, emailStatuses } from '../../platform/mail/row-mails.ts'

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
  nom: textOrNull('Odile Vauquelin'),
  email: textOrNull(
    'odile.vauquelin@example.org',
    'As whoever wrote typed it: nobody has verified it. Null once they had it erased',
  ),
  user_id: nullable(Id('Who wrote, when signed in')),
  commune_id: nullable(Id('The commune it is about')),
  assignee_id: nullable(Id('The colleague who handles it')),
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
  assignee: always,
  draft: ({ email }: Pick<StoredThread, 'email'>) => email !== null,
  reply: ({ email }: Pick<StoredThread, 'email'>) => email !== null,
}

/** Limit on the other threads of an address in a response. */
export const maxOthers = 5

const OtherThread = titled('OtherSupportThread', {
  ...Type.Pick(Stored, ['id', 'number', 'subject', 'status']).properties,
  last_message_at: Timestamp(),
})

const About = titled(
  'SupportThreadAbout',
  {
    kind: oneOf(answeredRecords),
    id: Id('The record'),
  },
  'What the mail was about whose answer began the thread',
)

export const Thread = titled('SupportThread', {
  ...storedThread,
  about: nullable(About),
  user: NullableUserName,
  assignee_user: NullableUserName,
  excerpt: Type.String({
    description: 'The beginning of the latest message, on one line',
    examples: ['Bonjour, le bac de la rue du Puits n’a pas été relevé'],
  }),
  others: Type.Array(OtherThread, {
    description: `Other threads of the same address, the last written to first; at most ${maxOthers}`,
  }),
  can: Can(threadActions),
})
/** A thread as the query returns it. */
export type Thread = Omit<Static<typeof Thread>, 'can'>

const Author = titled('SupportMessageAuthor', {
  id: nullable(Id('The account')),
  nom: textOrNull('Odile Vauquelin'),
})

const ReceivedMail = titled(
  'ReceivedMail',
  {
    sender: oneOf(
      ['same', 'other', 'forged'],
      '`same`: the address that we had written to; `other`: another one; `forged`: the mail server says that somebody else sent it',
    ),
    from: textOrNull('voisin@example.org', 'The address that it came from, unless it is the same'),
    quoted: textOrNull(
      '> Bonjour, la tournée passe de nouveau dès lundi.',
      'What the mail program quoted below',
    ),
    attachments: Type.Array(
      titled('ReceivedAttachment', {
        nom: Type.String({ examples: ['photo.jpg'] }),
        type: Type.String({ examples: ['image/jpeg'] }),
        bytes: Type.Integer({ examples: [182_000] }),
      }),
      { description: 'Left in the mailbox, and never opened' },
    ),
    problem: nullable(
      oneOf(['too_large', 'unreadable'], 'Why the text is not here: the mail is in the mailbox'),
    ),
  },
  'How a message came that came by mail',
)

const storedMessage = {
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
  email_error: EmailError,
  received: nullable(ReceivedMail),
  created_at: ResponseTimestamp(),
}

type MailState = { email_status: string | null; may_have_arrived: boolean }

/** A reply can be deleted until its first attempt begins, and again while a refused one waits for a retry. */
export const messageActions = {
  delete: ({ email_status, may_have_arrived }: MailState) => email_status === 'queued' && !may_have_arrived,
}

export const Message = titled('SupportMessage', { ...storedMessage, can: Can(messageActions) })
export type Message = Static<typeof Message>
/** A message as queries return it. */
export type MessageRow = Omit<Message, 'can'> & MailState

export const ById = Type.Object({ id: Id('The thread') })
export const ByThreadAndId = Type.Object({ threadId: Id('The thread'), id: Id('The message') })
