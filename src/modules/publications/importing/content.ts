import { hoursParagraph, type When } from '../hours.ts'
import { type Content, maxBody } from '../schema.ts'
import { cleanContent, completeContent } from '../writing/content.ts'

export type { When } from '../hours.ts'
export { maxStoredBody, maxTitle } from '../schema.ts'
export { hoursProblem, isWebUrl } from '../writing/content.ts'

/** The content that an item brings. Its source says which type its publications have. */
export type ImportedContent = Omit<Content, 'type_id'>

/** Cleans and completes the content of an item; 422 where it cannot be stored. Its hours stand first in its text. */
export function importedContent(given: Parameters<typeof cleanContent>[0], times: When[]): ImportedContent {
  const { type_id, ...content } = withHours(completeContent(cleanContent(given)), times)
  return content
}

/** Leaves the hours out where they would make the text too long. */
function withHours(content: Content, times: When[]): Content {
  const hours = hoursParagraph(times)
  if (hours === null || content.body.length + hours.length > maxBody) return content
  return { ...content, body: hours + content.body }
}
