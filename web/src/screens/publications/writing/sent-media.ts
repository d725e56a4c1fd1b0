import { saveDescriptions } from '../../../shell/media/descriptions.ts'
import { idsIn } from '../../../shell/media/tokens.ts'
import { untilSent } from '../../../shell/media/uploads.ts'
import type { Content } from './content.ts'

export type SentMedia = Pick<Content, 'images' | 'documents'>

/** Waits for the pictures and documents of a form that are on their way, and saves what was typed about them. */
export async function sentMedia(content: SentMedia): Promise<SentMedia> {
  const [images, documents] = await Promise.all([untilSent(content.images), untilSent(content.documents)])
  await saveDescriptions([...idsIn(images), ...idsIn(documents)])
  return { images, documents }
}
