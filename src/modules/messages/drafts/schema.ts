import Type, { type Static } from 'typebox'
import { nullable, ResponseTimestamp, text } from '../../../platform/http/validation/schemas.ts'
import { exampleResponse, maxBody } from '../schema.ts'

export const Draft = Type.Object(
  {
    body: Type.String({ examples: [exampleResponse] }),
    updated_at: ResponseTimestamp(),
  },
  { title: 'SupportDraft' },
)
export type Draft = Static<typeof Draft>

export const DraftBody = Type.Object(
  {
    body: text(maxBody, {
      description: 'Plain text; without a letter or another sign, the draft is deleted',
      examples: [exampleResponse],
    }),
  },
  { additionalProperties: false },
)
export type DraftBody = Static<typeof DraftBody>

/** The stored draft; null if it was deleted. */
export const SavedDraft = Type.Object({ data: nullable(Draft) }, { title: 'SavedSupportDraft' })
