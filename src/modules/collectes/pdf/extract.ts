import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { Sheet, Word } from './sheet.ts'

/** Pixels of the longer side of a sheet: the smallest marks of a year on one page have some. */
const longSide = 1_800
/** A calendar has few pages; a booklet with one inside is for people to read. */
const maxPages = 12
const maxLettersInAll = 60_000

/** What pdfium has beyond the types of its package. */
type Pdfium = {
  [Name in
    | '_FPDF_LoadPage'
    | '_FPDF_ClosePage'
    | '_FPDF_PageToDevice'
    | '_FPDFText_LoadPage'
    | '_FPDFText_CountChars'
    | '_FPDFText_GetUnicode'
    | '_FPDFText_GetCharBox'
    | '_FPDFText_GetLooseCharBox'
    | '_FPDFText_ClosePage']: (...args: number[]) => number
} & {
  HEAPF64: Float64Array
  HEAPF32: Float32Array
  HEAP32: Int32Array
  wasmExports: { malloc(bytes: number): number }
}

export type Extracted = { sheets: Sheet[] } | { unreadable: 'damaged' | 'password' | 'too_much' }

/** Reads the words of a PDF where they stand, and draws its pages. */
export async function extractSheets(bytes: Uint8Array): Promise<Extracted> {
  const library = await PDFiumLibrary.init()
  const pdfium = (library as unknown as { module: Pdfium }).module
  try {
    const document = await library.loadDocument(bytes)
    const { documentIdx: handle } = document as unknown as { documentIdx: number }
    const count = document.getPageCount()
    if (count < 1) return { unreadable: 'damaged' }
    if (count > maxPages) return { unreadable: 'too_much' }
    const sheets: Sheet[] = []
    let letters = 0
    for (let index = 0; index < count; index++) {
      const page = document.getPage(index)
      const { originalWidth, originalHeight } = page.getOriginalSize()
      const scale = longSide / Math.max(originalWidth, originalHeight)
      const [width, height] = [originalWidth, originalHeight].map((side) =>
        Math.max(1, Math.round(side * scale)),
      ) as [number, number]
      const found = lettersOf(pdfium, handle, { index, width, height, most: maxLettersInAll - letters })
      if (found === null) return { unreadable: 'too_much' }
      letters += found.length
      const words = wordsOf(found)
      const { data } = await page.render({ render: 'bitmap', colorSpace: 'BGRA', width, height, scale: 1 })
      sheets.push({ width, height, words, pixels: data })
    }
    return { sheets }
  } catch (error) {
    return { unreadable: String(error).includes('Password') ? 'password' : 'damaged' }
  } finally {
    library.destroy()
  }
}

type Size = { index: number; width: number; height: number; most: number }

/** Returns the letters of a page in the order of its text, with their boxes in pixels; null between words. Null if they are too many. */
function lettersOf(
  pdfium: Pdfium,
  document: number,
  { index, width, height, most }: Size,
): (Word | null)[] | null {
  const page = pdfium._FPDF_LoadPage(document, index)
  const text = page === 0 ? 0 : pdfium._FPDFText_LoadPage(page)
  const count = text === 0 ? 0 : pdfium._FPDFText_CountChars(text)
  // Four numbers for a box, four smaller ones for that of its place in the line, and two for a point of the picture.
  const memory = pdfium.wasmExports.malloc(4 * 8 + 4 * 4 + 2 * 4)
  const [loose, place] = [memory + 32, memory + 48]
  const onDevice = (x: number, y: number): [number, number] => {
    pdfium._FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, place, place + 4)
    return [pdfium.HEAP32[place >> 2] ?? 0, pdfium.HEAP32[(place >> 2) + 1] ?? 0]
  }
  const letters: (Word | null)[] = []
  for (let at = 0; at < count && count <= most; at++) {
    const letter = String.fromCodePoint(Math.min(pdfium._FPDFText_GetUnicode(text, at) >>> 0, 0x10ffff))
    const isThere = pdfium._FPDFText_GetCharBox(text, at, memory, memory + 8, memory + 16, memory + 24) === 1
    if (!isThere || /[\s\p{C}]/u.test(letter)) {
      letters.push(null)
      continue
    }
    const [, , bottom = 0, top = 0] = pdfium.HEAPF64.slice(memory >> 3, (memory >> 3) + 4)
    // A letter such as 1 is narrower than its place.
    pdfium._FPDFText_GetLooseCharBox(text, at, loose)
    const [left = 0, , right = 0] = pdfium.HEAPF32.slice(loose >> 2, (loose >> 2) + 4)
    const [[xa, ya], [xb, yb]] = [onDevice(left, bottom), onDevice(right, top)]
    const box = { x0: Math.min(xa, xb), x1: Math.max(xa, xb), y0: Math.min(ya, yb), y1: Math.max(ya, yb) }
    letters.push({ text: letter, ...box })
  }
  if (text !== 0) pdfium._FPDFText_ClosePage(text)
  if (page !== 0) pdfium._FPDF_ClosePage(page)
  return count > most ? null : letters
}

/** On turned pages the box of a 1 is narrower than its place. */
const areDigits = (one: string, other: string) => /\d$/.test(one) && /^\d/.test(other)

/** Joins letters that follow each other in one line without a gap. */
function wordsOf(letters: readonly (Word | null)[]): Word[] {
  const words: Word[] = []
  let isOpen = false
  for (const letter of letters) {
    const last = words.at(-1)
    const height = Math.max(letter ? letter.y1 - letter.y0 : 0, last ? last.y1 - last.y0 : 0)
    const goesOn =
      isOpen &&
      letter !== null &&
      last !== undefined &&
      letter.x0 - last.x1 < (areDigits(last.text, letter.text) ? 0.6 : 0.3) * height &&
      letter.x0 > last.x0 &&
      letter.y0 < last.y1 + 1 &&
      letter.y1 > last.y0 - 1
    isOpen = letter !== null
    if (letter === null) continue
    if (!goesOn || last === undefined) words.push({ ...letter })
    else {
      last.text += letter.text
      last.x1 = Math.max(last.x1, letter.x1)
      last.y0 = Math.min(last.y0, letter.y0)
      last.y1 = Math.max(last.y1, letter.y1)
    }
  }
  return words
}
