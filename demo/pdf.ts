/** Writes a PDF of one page: a title, and lines of text as they are given. */
export function writePdf(title: string, lines: readonly string[]): Buffer {
  const content = [
    `BT /F1 15 Tf 56 770 Td ${shown(title)} ET`,
    `BT /F1 11 Tf 16 TL 56 730 Td ${lines.map((line) => `${shown(line)} T*`).join(' ')} ET`,
  ].join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${`${offset}`.padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  // One byte a character, so that a length of the text is one of the file.
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}

/** A line of text in the encoding of the font, which has no typographic apostrophe among its first characters. */
const shown = (line: string) => `(${line.replaceAll('’', "'").replaceAll(/[()\\]/g, '\\$&')}) Tj`
