import Type, { type Static } from 'typebox'
import { filledText, Id, strictObject } from '../../../platform/http/validation/schemas.ts'
import { exampleResponse, maxBody } from '../schema.ts'

export const ReplyBody = strictObject(
  {
    body: Type.Optional(filledText(maxBody, { description: 'Plain text', examples: [exampleResponse] })),
    resend_of: Type.Optional(
      Id('A message of the thread whose mail failed, or may have: it is sent again, as the same mail'),
    ),
  },
  { description: 'Exactly one of the two', examples: [{ body: exampleResponse }] },
)
export type ReplyBody = Static<typeof ReplyBody>
