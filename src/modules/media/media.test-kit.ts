import sharp from 'sharp'

/** A small picture as PNG; another color makes another picture. */
export const png = (background = '#4a7', { width = 40, height = 30 } = {}): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

/** The form that sends a file. */
export function formOf(
  file: Uint8Array | string,
  fields: Record<string, string> = {},
  name = 'photo.png',
): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([file as Uint8Array<ArrayBuffer>]), name)
  return form
}
