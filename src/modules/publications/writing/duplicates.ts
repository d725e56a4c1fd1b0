import { hash } from 'node:crypto'
import { fold } from '../../../platform/formats/text.ts'
import type { Content } from '../schema.ts'
import { withoutHours } from './hours.ts'

type Signed = Pick<Content, 'source_url' | 'type_id' | 'title' | 'body' | 'date_debut'> & {
  acteur_id: string | null
}

/** Returns the key that probable duplicates share: their source URL, else acteur, type, words and date. */
export function duplicateKey(publication: Signed): string {
  const { source_url, acteur_id, type_id, title, body, date_debut } = publication
  if (source_url !== null) return `u:${digest(normaliseUrl(source_url))}`
  const beginning = [...fold(withoutMarkup(withoutHours(body)))].slice(0, 200).join('').trim()
  return `s:${digest(JSON.stringify([acteur_id, type_id, fold(title), beginning, date_debut]))}`
}

/** Normalises a URL: no scheme, `www.`, default port, trailing slash, fragment or tracking parameters. */
export function normaliseUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const { hostname, port, pathname, searchParams } = new URL(text)
  const kept = [...searchParams].filter(([name]) => !/^(utm_.*|fbclid|gclid)$/i.test(name))
  // The sort is stable: parameters of one name keep their order, which may matter.
  kept.sort(([name], [other]) => (name < other ? -1 : Number(name > other)))
  const host = hostname.replace(/^www\./, '').replace(/\.$/, '')
  const query = new URLSearchParams(kept).toString()
  return `${host}${/^(80|443)?$/.test(port) ? '' : `:${port}`}${pathname.replace(/\/+$/, '')}${query && `?${query}`}`
}

/** Removes tags; a block element separates words, emphasis does not. */
const withoutMarkup = (html: string) =>
  html
    .replace(/<\/?(p|br|ul|ol|li|h[1-6])\b[^>]*>/gi, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, ' ')

const digest = (text: string) => hash('sha256', text, 'hex').slice(0, 32)
