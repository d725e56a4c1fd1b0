import Type, { type Static } from 'typebox'
import {
  filledLine,
  filledText,
  Id,
  nullable,
  oneOf,
  strictObject,
  text,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { exampleBody, maxBody } from '../schema.ts'

export const maxNom = 200
export const maxSubject = 200

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

export const ReceivedMessage = titled('ReceivedSupportMessage', {
  id: Id(),
  number: Type.Integer({
    description:
      'The number to quote when writing about this message again; replies have it in their subject',
    examples: [1042],
  }),
  status: oneOf(['open']),
})
export type ReceivedMessage = Static<typeof ReceivedMessage>
