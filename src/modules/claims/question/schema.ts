import Type, { type Static } from 'typebox'
import {
  filledText,
  Id,
  nullable,
  oneOf,
  ResponseTimestamp,
  UserName,
} from '../../../platform/http/validation/schemas.ts'
import { emailStatuses } from '../../../platform/mail/row-mails.ts'

const example = 'Qui préside le club depuis le départ de M. Ferrand ?'

export const QuestionBody = Type.Object(
  { body: filledText(5_000, { description: 'Plain text', examples: [example] }) },
  { additionalProperties: false },
)
export type QuestionBody = Static<typeof QuestionBody>

export const ClaimQuestion = Type.Object(
  {
    id: Id(),
    claim_id: Id('The claim'),
    body: Type.String({ examples: [example] }),
    asked_by: Id('Who asked'),
    asked_by_user: UserName,
    email_status: oneOf(emailStatuses, 'Its mail to the claimant'),
    email_error: nullable(
      Type.String({
        description: 'Response of the mail server to the last attempt, without addresses',
        examples: ['452 4.2.2 Mailbox full'],
      }),
    ),
    created_at: ResponseTimestamp(),
  },
  { title: 'ClaimQuestion' },
)
export type ClaimQuestion = Static<typeof ClaimQuestion>
