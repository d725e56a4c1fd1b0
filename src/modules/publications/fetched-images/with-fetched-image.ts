import type { StoredPublication } from '../queries.ts'
import type { Content } from '../schema.ts'

type Fetched = Pick<StoredPublication, 'image_url' | 'images' | 'fetched_image'>

/**
 * Keeps the address of a picture and what was fetched from it together: another address drops the picture, so that the new one
 * is fetched, and whoever removes the picture removes its address, from which it would come back.
 */
export function withFetchedImage<Changed extends Pick<Content, 'image_url' | 'images'>>(
  { image_url, fetched_image }: Fetched,
  changed: Changed,
): Changed & Fetched {
  if (fetched_image === null) return { ...changed, fetched_image }
  const others = changed.images?.filter((id) => id !== fetched_image) ?? []
  const isKept = changed.images !== null && others.length < changed.images.length
  if (changed.image_url !== image_url)
    return { ...changed, images: others.length > 0 ? others : null, fetched_image: null }
  return isKept ? { ...changed, fetched_image } : { ...changed, image_url: null, fetched_image: null }
}
