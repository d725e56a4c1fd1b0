import { nonTextTags, piecesOf } from './markup.ts'

/** Separators between two texts, from the weakest to the strongest. The stronger one wins. */
const separators = { none: '', cell: ' · ', colon: ' : ', line: '<br>' }
const strength = Object.keys(separators) as (keyof typeof separators)[]

const endsLine =
  /^(?:table|thead|tbody|tfoot|tr|caption|hr|dl|blockquote|figure|figcaption|fieldset|legend|address|details|summary)$/
const keptBlock = /^(?:p|ul|ol|li|h[1-6]|br)$/
const keptInline = /^(?:a|b|strong|em|i|u)$/
const plainBlock = /^(?:div|section|article|header|footer|main|aside|nav|form|center|pre)$/

/**
 * Replaces disallowed block elements by separators, so that their texts stay apart. A table row becomes a
 * line with its cells side by side, a term precedes its definition, and other blocks begin and end a line. Works in
 * one pass: a separator is written when the next text comes. A `<` that begins no tag becomes `&lt;`.
 */
export function separateBlocks(html: string): string {
  if (!html.includes('<')) return html
  const out: string[] = []
  let pending: keyof typeof separators = 'none'
  /** True at the beginning and after an allowed block: no separator is needed. */
  let isAtBreak = true
  /** True within a cell, where paragraphs become lines. */
  let isInCell = false
  let isCellEmpty = true

  const want = (separator: keyof typeof separators) => {
    if (strength.indexOf(separator) > strength.indexOf(pending)) pending = separator
  }
  const separate = () => {
    if (pending !== 'none' && !isAtBreak) {
      trimLast(out, pending === 'colon')
      out.push(separators[pending])
    }
    pending = 'none'
  }

  /** The open element whose content is removed. */
  let removed: string | null = null

  for (const { kind, source, name, closes } of piecesOf(html)) {
    const token = kind === 'text' ? source.replaceAll('<', '&lt;') : source
    if (removed !== null || nonTextTags.includes(name)) {
      out.push(token)
      if (removed === null && !closes) removed = name
      else if (closes && name === removed) removed = null
    } else if (kind === 'other') out.push(token)
    else if (kind === 'text') {
      const isBlank = token.trim() === ''
      if (pending === 'none') out.push(token)
      else if (!isBlank) {
        separate()
        out.push(token.trimStart())
      }
      if (!isBlank) {
        isAtBreak = false
        isCellEmpty = false
      }
    } else if (name === 'td' || name === 'th') {
      want('cell')
      isInCell = !closes
      isCellEmpty = true
    } else if (isInCell && (name === 'p' || plainBlock.test(name))) {
      if (!isCellEmpty && !closes) want('line')
    } else if (endsLine.test(name)) {
      want('line')
      isInCell = false
    } else if (name === 'dt' || name === 'dd') {
      want((name === 'dt') === closes ? 'colon' : 'line')
    } else if (plainBlock.test(name)) want('line')
    else {
      if (keptBlock.test(name)) {
        pending = 'none'
        isAtBreak = true
      } else if (keptInline.test(name) && !closes) separate()
      out.push(token)
    }
  }
  return out.join('')
}

/** Trims the end of the last text, and its colon if a colon follows. */
function trimLast(out: string[], isBeforeColon: boolean): void {
  const last = out.at(-1)?.trimEnd()
  if (last === undefined || last.startsWith('<')) return
  out[out.length - 1] = isBeforeColon && last.endsWith(':') ? last.slice(0, -1).trimEnd() : last
}
