import Type, { type Static } from 'typebox'
import {
  EmailError,
  filledText,
  Id,
  oneOf,
  ResponseTimestamp,
  strictObject,
  titled,
  UserName,
} from '../../../platform/http/validation/schemas.ts'
import { emailStatuses } from '../../../platform/mail/row-mails.ts'

export const maxQuestion = 5_000

const example = 'Qui préside le club depuis le départ de M. Ferrand ?'

export const QuestionBody = strictObject({
  body: filledText(maxQuestion, { description: 'Plain text', examples: [example] }),
})
export type QuestionBody = Static<typeof QuestionBody>

export const ClaimQuestion = titled('ClaimQuestion', {
  id: Id(),
  claim_id: Id('The claim'),
  body: Type.String({ examples: [example] }),
  asked_by: Id('Who asked'),
  asked_by_user: UserName,
  email_status: oneOf(emailStatuses, 'Its mail to the claimant'),
  email_error: EmailError,
  created_at: ResponseTimestamp(),
})
export type ClaimQuestion = Static<typeof ClaimQuestion>
