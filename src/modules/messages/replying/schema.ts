import Type, { type Static } from 'typebox'
import { filledText, Id } from '../../../platform/http/schemas.ts'
import { exampleAnswer, maxBody } from '../schema.ts'

export const ReplyBody = Type.Object(
  {
    body: Type.Optional(filledText(maxBody, { description: 'Plain text', examples: [exampleAnswer] })),
    resend_of: Type.Optional(
      Id('A message of the thread whose mail failed, or may have: it is sent again, as the same mail'),
    ),
  },
  {
    additionalProperties: false,
    description: 'Exactly one of the two',
    examples: [{ body: exampleAnswer }],
  },
)
export type ReplyBody = Static<typeof ReplyBody>
