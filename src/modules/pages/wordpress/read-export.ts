import { setImmediate } from 'node:timers/promises'
import sax, { type QualifiedTag } from 'sax'
import { invalid, type Text } from '../../../platform/errors.ts'
import { readText } from '../../../platform/fetch/read-text.ts'

export const maxExportBytes = 20 * 2 ** 20
/** The most pages of an export; a commune has at most 200. */
const maxExported = 500
/** Of a field. A longer text fits no page, whatever is removed of it. */
const maxField = 200_000
const maxDepth = 20
/** So many characters are read before other requests get their turn. */
const portion = 64 * 1024

/** A page of an export. Nothing of it is trusted. */
export type ExportedPage = {
  id: string
  parentId: string | null
  order: number
  status: string
  isProtected: boolean
  title: string
  name: string
  /** Null: too long. */
  content: string | null
}

export type Export = {
  site: string | null
  pages: ExportedPage[]
  /** How many items are no pages, by their type. */
  others: Map<string, number>
}

type Fields = Map<string, string>

/** The types of the parser do not know the second. */
const strict = { xmlns: true, strictEntities: true }

/**
 * Reads the pages of a WordPress export (WXR), a portion at a time. The parser knows the five entities of XML alone, and a
 * document type is refused, so that nothing is expanded or fetched.
 */
export async function readExport(bytes: Buffer): Promise<Export> {
  const text = readText({ body: bytes, headers: new Map() }, { mendsUtf8: true })
  const found: Export = { site: null, pages: [], others: new Map() }
  const { parser, isExport } = exportParser(found)
  for (let at = 0; at < text.length; at += portion) {
    parser.write(text.slice(at, at + portion))
    await setImmediate()
  }
  parser.close()
  if (!isExport()) throw invalid('file', messages.other)
  return found
}

/** Makes a parser that adds what it finds, and throws a 422 on what is no export. */
function exportParser(found: Export) {
  const parser = sax.parser(true, strict)
  /** Names of the open elements. */
  const path: string[] = []
  let isExport = false
  let fields: Fields = new Map()
  let field: string | null = null
  let written = ''
  const refuse = (message: Text): never => {
    throw invalid('file', message)
  }
  parser.onerror = () => refuse(isExport ? messages.damaged : messages.other)
  parser.ondoctype = () => refuse(messages.doctype)
  parser.onopentag = (tag) => {
    path.push(nameOf(tag as QualifiedTag))
    if (path.length === 1 && path[0] !== 'rss') refuse(messages.other)
    if (path.length > maxDepth) refuse(messages.damaged)
    const isItem = path[2] === 'item'
    if (isItem && path.length === 3) fields = new Map()
    if (path.length === (isItem ? 4 : 3)) {
      field = path.at(-1) ?? null
      written = ''
    }
  }
  const add = (text: string) => {
    if (field !== null && written.length <= maxField) written += text
  }
  parser.ontext = add
  parser.oncdata = add
  parser.onclosetag = () => {
    const isItem = path[2] === 'item'
    if (path.length === (isItem ? 4 : 3) && field !== null) {
      if (isItem) fields.set(field, written)
      else if (field === 'link') found.site = written.trim()
      else if (field === 'wp:wxr_version') isExport = true
      field = null
    }
    if (isItem && path.length === 3) addItem(found, fields, refuse)
    path.pop()
  }
  return { parser, isExport: () => isExport }
}

function addItem(found: Export, fields: Fields, refuse: (message: Text) => never): void {
  const line = (name: string) => (fields.get(name) ?? '').trim().slice(0, 1_000)
  const type = line('wp:post_type').slice(0, 50) || '?'
  if (type !== 'page') {
    const known = found.others.has(type) || found.others.size < 50 ? type : '?'
    found.others.set(known, (found.others.get(known) ?? 0) + 1)
    return
  }
  if (found.pages.length >= maxExported) refuse(messages.tooMany)
  const content = fields.get('content:encoded') ?? ''
  const parentId = numberIn(line('wp:post_parent'))
  found.pages.push({
    id: numberIn(line('wp:post_id')) ?? `n${found.pages.length + 1}`,
    parentId: parentId === '0' ? null : parentId,
    order: Number(numberIn(line('wp:menu_order')) ?? 0),
    status: line('wp:status'),
    isProtected: line('wp:post_password') !== '',
    title: line('title'),
    name: line('wp:post_name'),
    content: content.length > maxField ? null : content,
  })
}

const numberIn = (text: string) => (/^\d{1,10}$/.test(text) ? text : null)

const wordpress = /^https?:\/\/wordpress\.org\/export\/1\.\d\/$/
const contentModule = 'http://purl.org/rss/1.0/modules/content/'

/** Returns the name of an element with the usual prefix of its namespace, whichever the file uses. */
function nameOf({ uri, local }: QualifiedTag): string {
  if (uri === '') return local
  if (wordpress.test(uri)) return `wp:${local}`
  return uri === contentModule ? `content:${local}` : `?:${local}`
}

const messages = {
  other: { en: 'is no WordPress export (WXR)', fr: 'n’est pas un export de WordPress (WXR)' },
  damaged: { en: 'is damaged and cannot be read', fr: 'est abîmé et ne peut pas être lu' },
  doctype: {
    en: 'has a document type, as no WordPress export has',
    fr: 'contient un type de document, ce qu’aucun export de WordPress ne contient',
  },
  tooMany: {
    en: `has more than ${maxExported} pages`,
    fr: `contient plus de ${maxExported} pages`,
  },
}
