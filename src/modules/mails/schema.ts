import Type, { type Static } from 'typebox'
import { idsQuery, listQuery, several, sortQuery } from '../../platform/http/listing/paging.ts'
import {
  Can,
  Id,
  nullable,
  oneOf,
  ResponseTimestamp,
  text,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import type { EmailStatus } from '../../platform/mail/row-mails.ts'

/** The stored states, and `held`: queued for the time in which an undo cancels the mail. */
export const mailStatuses = ['failed', 'uncertain', 'queued', 'held', 'sending', 'sent'] as const
export type MailStatus = (typeof mailStatuses)[number]

export const ById = Type.Object({ id: Id() })

export const MailsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['status_at'], 'status_at_desc'),
  ids: idsQuery,
  status: several(oneOf(mailStatuses), 'In one of these states'),
  kind: several(text(100, { examples: ['claim_decision'] }), 'Of one of these kinds'),
  settled: several(Type.Boolean(), 'Settled, or not'),
})
export type MailsQuery = Static<typeof MailsQuery>

/** A mail as it is read from the database. */
export type SelectedMail = {
  id: string
  kind: string
  email_status: EmailStatus
  is_held: boolean
  email_status_at: Date
  email_tries: number
  email_error: string | null
  email_settled_at: Date | null
  record_id: string
  record_name: string | null
  recipient: string | null
  is_needed: boolean
}

export const mailActions = {
  resend: ({ status, needed }: { status: MailStatus; needed: boolean }) =>
    needed && (status === 'failed' || status === 'uncertain'),
  settle: ({ status, settled_at }: { status: MailStatus; settled_at: Date | null }) =>
    status === 'uncertain' && settled_at === null,
}

export const ListedMail = titled('ListedMail', {
  id: Id(),
  kind: Type.String({ examples: ['claim_decision'] }),
  kind_label: Type.String({
    description: 'The kind in the language of the caller',
    examples: ['Décision sur une revendication'],
  }),
  status: oneOf(
    mailStatuses,
    'failed: certainly not sent; uncertain: perhaps sent; held: an undo still cancels it',
  ),
  status_at: ResponseTimestamp('Since when it is in this state'),
  attempts: Type.Integer({ examples: [3] }),
  error: textOrNull('550 mailbox unavailable', 'The last error, without addresses'),
  settled_at: nullable(
    ResponseTimestamp(
      'When somebody decided that nothing is to be done about it; the audit log has who and why',
    ),
  ),
  entity: Type.String({ description: 'Kind of the record', examples: ['claim'] }),
  record_id: Id('The record that the mail is about'),
  record_name: textOrNull('Boule des Accoules', 'Null if the caller may not open the record'),
  recipient: textOrNull(
    'odile@example.org',
    'Null if there is none any more, or the caller may not open the record',
  ),
  needed: Type.Boolean({
    description: 'Whether the reason to send it still exists; if not, it cannot be resent',
    examples: [true],
  }),
  can: Can(mailActions),
})
export type ListedMail = Static<typeof ListedMail>
