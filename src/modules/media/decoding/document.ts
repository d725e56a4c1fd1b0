import { PDFiumLibrary } from '@hyzyla/pdfium'
import { type DecodedDocument, maxHeightRatio, maxTextBytes, type Refusal, widths } from './decoded.ts'
import { refusalOfObjects } from './pdf/refusals.ts'

/** PDF files. They are kept as they are, so what acts when somebody opens one is refused. */

/** Returns why a PDF is refused without reading its pages; null when it is not. */
export function refusalOfDocument(bytes: Uint8Array): Refusal | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return refusalOfEnd(file) ?? refusalOfObjects(file)
}

/** A file ends with its mark: what follows belongs to no page, and a signature does not cover it. */
function refusalOfEnd(file: Buffer): Refusal | null {
  const mark = file.lastIndexOf('%%EOF')
  if (mark === -1) return 'pdf_damaged'
  if (/[^\0\t\n\f\r ]/.test(file.toString('latin1', mark + '%%EOF'.length))) return 'pdf_trailing'
  // Of a file that was cut, an earlier end may be left: its first part says how long the whole is.
  const [, length = '0'] =
    /\/Linearized\b[^>]*\/L\s+(\d+)/.exec(file.subarray(0, 1_024).toString('latin1')) ?? []
  return Number(length) > file.length ? 'pdf_damaged' : null
}

type Page = { data: Uint8Array; width: number; height: number }

/** What pdfium has beyond the types of its package. */
type Pdfium = {
  [Name in
    | '_FPDF_GetPageCount'
    | '_FPDF_LoadPage'
    | '_FPDF_ClosePage'
    | '_FPDF_DocumentHasValidCrossReferenceTable'
    | '_FPDFDoc_GetJavaScriptActionCount'
    | '_FPDFDoc_GetAttachmentCount'
    | '_FPDFText_LoadPage'
    | '_FPDFText_CountChars'
    | '_FPDFText_GetText'
    | '_FPDFText_ClosePage']: (...args: number[]) => number
} & { HEAPU8: Uint8Array; wasmExports: { malloc(bytes: number): number; free(at: number): void } }

/** Reads the pages of a PDF: how many, their text, and the first as a picture. */
export async function readDocument(
  bytes: Uint8Array,
): Promise<(DecodedDocument & { page: Page }) | { refused: Refusal }> {
  loaded ??= PDFiumLibrary.init()
  const library = await loaded
  const pdfium = (library as unknown as { module: Pdfium }).module
  try {
    const document = await library.loadDocument(bytes)
    try {
      const { documentIdx: handle } = document as unknown as { documentIdx: number }
      const pages = document.getPageCount()
      if (pages < 1 || pdfium._FPDF_DocumentHasValidCrossReferenceTable(handle) !== 1) return damaged
      if (pdfium._FPDFDoc_GetJavaScriptActionCount(handle) > 0) return { refused: 'pdf_script' }
      if (pdfium._FPDFDoc_GetAttachmentCount(handle) > 0) return { refused: 'pdf_files' }
      const text = textOf(pdfium, handle, pages)
      return {
        pages,
        text,
        page: await firstPage(document.getPage(0)),
      }
    } finally {
      document.destroy()
    }
  } catch (error) {
    return String(error).includes('Password') ? { refused: 'pdf_password' } : damaged
  }
}

const damaged = { refused: 'pdf_damaged' } as const
let loaded: ReturnType<typeof PDFiumLibrary.init> | undefined

type FirstPage = ReturnType<Awaited<ReturnType<PDFiumLibrary['loadDocument']>>['getPage']>

/** Draws a page as wide as the largest variant, and as high as a picture may be. */
async function firstPage(page: FirstPage): Promise<Page> {
  const { originalWidth, originalHeight } = page.getOriginalSize()
  if (!(originalWidth >= 1 && originalHeight >= 1)) throw new Error('the page has no size')
  const largest = widths[widths.length - 1] as number
  const scale = Math.min(largest / originalWidth, (maxHeightRatio * largest) / originalHeight)
  const { data, width, height } = await page.render({
    ...{ render: 'bitmap', colorSpace: 'BGRA' },
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
    scale: 1,
  })
  return { data, width, height }
}

/** How long pages are read for their text: a document of a thousand plans has little of it. */
const textForMs = 10_000

/** Returns the text of the first pages, as much as is searched. */
function textOf(pdfium: Pdfium, document: number, pages: number): string {
  const until = performance.now() + textForMs
  let text = ''
  for (let page = 0; page < pages && performance.now() < until && text.length < maxTextBytes; page++)
    text += `${textOfPage(pdfium, document, page)}\n`
  // A hyphen at the end of a line is no part of the word; NUL is no text.
  const clean = text.replaceAll(/[\0\ufffe\uffff]/g, '').toWellFormed()
  const cut = Buffer.from(clean).subarray(0, maxTextBytes).toString()
  return cut.replace(/\ufffd$/, '').trim()
}

function textOfPage(pdfium: Pdfium, document: number, index: number): string {
  const page = pdfium._FPDF_LoadPage(document, index)
  if (page === 0) return ''
  const text = pdfium._FPDFText_LoadPage(page)
  const length = text === 0 ? 0 : Math.min(pdfium._FPDFText_CountChars(text), maxTextBytes)
  // Two bytes a character, and one character for the end.
  const bytes = 2 * (Math.max(length, 0) + 1)
  const at = pdfium.wasmExports.malloc(bytes)
  const written = length > 0 && at !== 0 ? pdfium._FPDFText_GetText(text, 0, length, at) : 0
  const read = Buffer.from(pdfium.HEAPU8.slice(at, at + 2 * Math.max(written - 1, 0))).toString('utf16le')
  pdfium.wasmExports.free(at)
  if (text !== 0) pdfium._FPDFText_ClosePage(text)
  pdfium._FPDF_ClosePage(page)
  return read
}
