import { hash } from 'node:crypto'
import { type ImportedContent, namesIn, namesOf } from '../../publications/importing/content.ts'
import type { ReadItem } from '../readers/item.ts'
import type { ItemDigests } from './queries.ts'

export type Readable = Extract<ReadItem, { refused: null }>

export const contentNames = namesIn('imports')

/** Returns a digest per field: enough to detect a change. */
export function digestsOf({ content, isCancelled }: Readable): ItemDigests {
  const digests = contentNames.map((name) => [name, digest(content[name])])
  return { ...Object.fromEntries(digests), cancelled: isCancelled }
}

/** Digests a field. */
export const digest = (value: ImportedContent[(typeof contentNames)[number]]) =>
  // The database returns the keys of a place in an order of its own.
  hash(
    'sha256',
    JSON.stringify(typeof value === 'object' && value ? Object.entries(value).sort() : value),
    'base64url',
  ).slice(0, 16)

/** Treats a field that did not exist when the digests were stored as empty. */
export const digestBefore = (digests: ItemDigests, name: (typeof contentNames)[number]) =>
  digests[name] ?? digest(null)

export const isSame = (before: ItemDigests, now: ItemDigests) =>
  before.cancelled === now.cancelled && contentNames.every((name) => digestBefore(before, name) === now[name])

/**
 * Returns a digest of the address, the place and all words, days and hours; null without an address. Items with the same
 * signature are duplicates, though the source has given them different identifiers.
 */
export const signatureOf = (item: Readable): string | null =>
  item.content.source_url === null ? null : signatureOfDigests(digestsOf(item))

/** The items in earlier batches of a run, and how many of them have each address. */
export type EarlierItems = {
  ids: Set<string | null>
  signatures: Set<string | null>
  addresses: Map<string, number>
}

export const noneEarlier = (): EarlierItems => ({
  ids: new Set(),
  signatures: new Set(),
  addresses: new Map(),
})

/** Adds a batch to what later decisions of the run take into account. */
export function addEarlier({ ids, signatures, addresses }: EarlierItems, batch: ReadItem[]): void {
  for (const item of batch) {
    if (item.refused) continue
    ids.add(item.external_id)
    signatures.add(signatureOf(item))
    const { source_url } = item.content
    if (source_url !== null) addresses.set(source_url, (addresses.get(source_url) ?? 0) + 1)
  }
}

/** Fewer items may well have one address, such as the days of one event. */
const manyOfOneAddress = 20

/** Returns the address that most items have; null unless it has many: these will be suspected duplicates of each other. */
export function sharedAddress({ addresses }: EarlierItems): { url: string; items: number } | null {
  let shared: { url: string; items: number } | null = null
  for (const [url, items] of addresses)
    if (items >= manyOfOneAddress && items > (shared?.items ?? 0)) shared = { url, items }
  return shared
}

/** Returns the signature of an item from its digests. */
export const signatureOfDigests = (digests: ItemDigests) =>
  digest(signedNames.map((name) => digestBefore(digests, name)).join())

const pictures: readonly string[] = namesOf('image')
const signedNames = contentNames.filter((name) => !pictures.includes(name))
