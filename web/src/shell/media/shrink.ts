/** The service makes nothing larger than 1600 px of it; the rest leaves room for another cut. */
const maxSide = 2_400
const thumbnailSide = 240
const quality = 0.85

type Prepared = {
  file: Blob
  /** Small picture as the address of an image, to show before it is sent; null if the browser cannot read the file. */
  thumbnail: string | null
}

/**
 * Makes a picture upright, and small if it is larger than what the service keeps: 12 MB of a phone become 600 kB. Leaves what
 * the browser cannot read as it is: the service says what is wrong with it.
 */
export async function prepare(file: File): Promise<Prepared> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (bitmap === null) return { file, thumbnail: null }
  try {
    const thumbnail = drawn(bitmap, thumbnailSide).toDataURL('image/jpeg', quality)
    if (Math.max(bitmap.width, bitmap.height) <= maxSide) return { file, thumbnail }
    const canvas = drawn(bitmap, maxSide)
    // JPEG has no transparency; a browser that cannot write WebP writes PNG.
    const type = file.type === 'image/jpeg' ? file.type : 'image/webp'
    const smaller = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, quality))
    return { file: smaller !== null && smaller.size < file.size ? smaller : file, thumbnail }
  } finally {
    bitmap.close()
  }
}

function drawn(bitmap: ImageBitmap, side: number): HTMLCanvasElement {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')
  if (context === null) return canvas
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return canvas
}
