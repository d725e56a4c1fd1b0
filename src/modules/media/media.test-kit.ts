import { deflateSync } from 'node:zlib'
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

/** A PDF of one page for each text; `catalog` adds to the entries of its catalog, `objects` to its objects, from number 4 on. */
export function pdf(
  texts: string[] = ['Ordre du jour'],
  { catalog = '', objects = [] as (string | Buffer)[], trailer = '' } = {},
): Buffer {
  const first = 4 + objects.length
  const pages = texts.flatMap((text, index) => {
    const lines = text.split('\n').map((line) => `(${line.replaceAll(/[()\\]/g, '')}) Tj T*`)
    const content = `BT /F1 12 Tf 14 TL 40 80 Td ${lines.join(' ')} ET`
    const own = first + 2 * index
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 100] /Contents ${own + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]
  })
  const kids = texts.map((_, index) => `${first + 2 * index} 0 R`)
  const all = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${texts.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...objects,
    ...pages,
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  for (const [index, object] of all.entries()) {
    offsets.push(length)
    add(Buffer.concat([latin(`${index + 1} 0 obj\n`), latin(object), latin('\nendobj\n')]))
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const start = length
  add(latin(`xref\n0 ${all.length + 1}\n0000000000 65535 f \n${rows.join('')}`))
  add(latin(`trailer\n<< /Size ${all.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}

const latin = (part: string | Buffer) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)

/** A compressed stream, as the object of a PDF. */
export function pdfStream(content: string | Buffer, dictionary = ''): Buffer {
  const compressed = deflateSync(content)
  const head = `<< ${dictionary} /Filter /FlateDecode /Length ${compressed.length} >>\nstream\n`
  return Buffer.concat([latin(head), compressed, latin('\nendstream')])
}
