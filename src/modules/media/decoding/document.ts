import { constants, inflateSync } from 'node:zlib'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { type DecodedDocument, maxHeightRatio, maxTextBytes, type Refusal, widths } from './decoded.ts'

/**
 * PDF files. They are kept as they are, so what acts when somebody opens one is refused. It is named in plain words, except
 * in object streams, which are compressed: all streams that can be one are searched as well.
 */

/** Names that only a document with such a thing has. */
const refusedNames: Record<string, Refusal> = {
  '/Encrypt': 'pdf_password',
  '/JavaScript': 'pdf_script',
  '/XFA': 'pdf_script',
  '/Rendition': 'pdf_script',
  '/Launch': 'pdf_launch',
  '/EmbeddedFile': 'pdf_files',
  '/EmbeddedFiles': 'pdf_files',
  '/FileAttachment': 'pdf_files',
  '/RichMedia': 'pdf_files',
}

/** No object stream is as large once it is decompressed, but bombs are. */
const maxObjectStreamBytes = 32 * 2 ** 20
/** The mark of the end is this close to it, and what a mail or a printer added follows. */
const endBytes = 4_096

/** Returns why a PDF is refused without reading its pages; null when it is not. */
export function refusalOfDocument(bytes: Uint8Array): Refusal | null {
  const file = latin(bytes)
  if (endOf(file) === null) return 'pdf_damaged'
  return refusedNameIn(file) ?? refusalOfStreams(file)
}

const latin = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Returns where a PDF ends; null if its end is missing. */
function endOf(file: Buffer): number | null {
  const mark = file.lastIndexOf('%%EOF')
  if (mark < file.length - endBytes) return null
  // Of a file that was cut, an earlier end may be left: its first part says how long the whole is.
  const [, length = '0'] =
    /\/Linearized\b[^>]*\/L\s+(\d+)/.exec(file.subarray(0, 1_024).toString('latin1')) ?? []
  return Number(length) > file.length ? null : mark + '%%EOF'.length
}

function refusedNameIn(content: Buffer): Refusal | null {
  for (const [name, refusal] of Object.entries(refusedNames)) if (hasName(content, name)) return refusal
  return refusedSpellingIn(content)
}

/** True if a name occurs that does not go on after these letters. */
function hasName(content: Buffer, name: string): boolean {
  for (let at = content.indexOf(name); at !== -1; at = content.indexOf(name, at + 1))
    if (!isRegular(content[at + name.length])) return true
  return false
}

const isRegular = (byte: number | undefined) =>
  byte !== undefined && /[A-Za-z0-9_.#+-]/.test(String.fromCharCode(byte))

/** Searches names in which letters are written as numbers (`/J#61vaScript`). */
function refusedSpellingIn(content: Buffer): Refusal | null {
  for (let from = content.indexOf('#'); from !== -1; from = content.indexOf('#', from + 1)) {
    const start = content.lastIndexOf('/', from)
    if (start === -1 || from - start > 60) continue
    const [written = ''] = /^\/[^\s/<>()[\]{}%]*/.exec(content.toString('latin1', start, start + 120)) ?? []
    const name = written.replace(/#([0-9a-f]{2})/gi, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    const refusal = refusedNames[name]
    if (refusal !== undefined) return refusal
  }
  return null
}

/** Searches all streams that begin as object streams do, and refuses those that are written so that nobody can search them. */
function refusalOfStreams(file: Buffer): Refusal | null {
  let before = 0
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at + 6)) {
    if (file.toString('latin1', at - 3, at) === 'end') {
      before = at
      continue
    }
    const declared = file.toString('latin1', Math.max(before, at - 4_096), at)
    const isDeclared = /\/ObjStm\b/.test(declared)
    if (isDeclared && unusual.test(declared)) return 'pdf_damaged'
    const [lineEnd = ''] = /^\r?\n?/.exec(file.toString('latin1', at + 6, at + 8)) ?? []
    const content = inflated(file.subarray(at + 6 + lineEnd.length))
    if (content === 'not compressed' && isDeclared && /\/Fl/.test(declared)) return 'pdf_damaged'
    if (content === 'too large') return 'pdf_damaged'
    const refusal = typeof content === 'string' ? null : refusedNameIn(content)
    if (refusal !== null) return refusal
  }
  return null
}

/** Ways to write a stream that no program uses for objects. */
const unusual =
  /\/(?:Predictor|Crypt|ASCIIHexDecode|AHx|ASCII85Decode|A85|LZWDecode|LZW|RunLengthDecode|RL)\b/

/** Decompresses a stream that begins with numbers, as object streams do. */
function inflated(content: Buffer): Buffer | 'not compressed' | 'too large' | 'other' {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxObjectStreamBytes }
  try {
    const start = inflateSync(content.subarray(0, 1_024), options)
    if (!/^[\s\0]*(?:[\d%]|$)/.test(start.toString('latin1'))) return 'other'
    return inflateSync(content, options)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'not compressed'
  }
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
        end: endOf(latin(bytes)) ?? bytes.length,
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
