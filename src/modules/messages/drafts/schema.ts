import Type, { type Static } from 'typebox'
import {
  nullable,
  ResponseTimestamp,
  strictObject,
  text,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { exampleResponse, maxBody } from '../schema.ts'

export const Draft = titled('SupportDraft', {
  body: Type.String({ examples: [exampleResponse] }),
  updated_at: ResponseTimestamp(),
})
export type Draft = Static<typeof Draft>

export const DraftBody = strictObject({
  body: text(maxBody, {
    description: 'Plain text; without a letter or another sign, the draft is deleted',
    examples: [exampleResponse],
  }),
})
export type DraftBody = Static<typeof DraftBody>

/** The stored draft; null if it was deleted. */
export const SavedDraft = titled('SavedSupportDraft', { data: nullable(Draft) })
