import { maxBody } from '../fields.ts'
import type { Content } from '../schema.ts'
import { cleanContent, completeContent } from '../writing/content.ts'
import { hoursParagraph, type When } from '../writing/hours.ts'

export {
  type Field,
  type MappedName,
  mappedTargets,
  maxAdresseOfLieu,
  maxLine,
  maxNomOfLieu,
  maxStoredBody,
  maxTitle,
  namesIn,
  namesOf,
  publicationFields,
} from '../fields.ts'
export { hoursProblem, isPdf, isWebUrl } from '../writing/content.ts'
export type { When } from '../writing/hours.ts'
export { piecesOf } from '../writing/markup.ts'

/** The content of an item, without the type, which its source sets, and without what only people add. */
export type ImportedContent = Omit<Content, 'type_id' | 'images' | 'documents' | 'recurrence'>

/** Cleans and completes the content of an item and puts its hours first in the text; 422 if it is invalid. */
export function importedContent(given: Parameters<typeof cleanContent>[0], times: When[]): ImportedContent {
  const { type_id, images, documents, recurrence, ...content } = withHours(
    completeContent(cleanContent(given)),
    times,
  )
  return content
}

/** Adds the hours paragraph, unless it would make the text too long. */
function withHours(content: Content, times: When[]): Content {
  const hours = hoursParagraph(times)
  if (hours === null || content.body.length + hours.length > maxBody) return content
  return { ...content, body: hours + content.body }
}
