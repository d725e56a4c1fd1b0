import type { Database } from '../../../platform/database/connect.ts'
import type { ImportedContent } from '../../publications/importing/content.ts'
import { type PublishAs, publishAs, withMergeTarget } from '../../publications/importing/publish-as.ts'
import { listPublications, listPublicationsForUpdate } from '../../publications/importing/queries.ts'
import {
  keyOf,
  type NewPublication,
  newPublication,
  type StoredPublication,
  whenNames,
  withContent,
} from '../../publications/importing/rules.ts'
import type { SourceRow } from '../queries.ts'
import type { ReadItem } from '../readers/item.ts'
import type { Action } from '../schema.ts'
import {
  contentNames,
  digest,
  digestBefore,
  digestsOf,
  type EarlierItems,
  isSame,
  type Readable,
  signatureOf,
  signatureOfDigests,
} from './digests.ts'
import {
  type Link,
  listEarlierDigests,
  listKeysElsewhere,
  listLinks,
  listLinksOfAnyHour,
  type RunUnderWay,
} from './queries.ts'
import { heldReason } from './unusual-size.ts'

/** The decision about an item. Dry runs decide like real runs but skip `apply`, which writes it. */
export type Decision = {
  item: Pick<ReadItem, 'external_id' | 'title'>
  action: Action
  reason: string | null
  /** The publication that the item is, or becomes. */
  publication_id?: string
  /** The publication to create. */
  creation?: NewPublication
  /** An existing publication before and after the update. */
  update?: { before: StoredPublication; after: StoredPublication }
  /** The stored link between item and publication. */
  link?: Link
  /** The identifier under which the item was imported before. */
  formerly?: string
}
type Context = {
  source: SourceRow
  run: Pick<RunUnderWay, 'id' | 'started_at'>
  isHeld: boolean
  /** Identifiers and signatures of the items in earlier batches of this run. */
  earlier: EarlierItems
}

/** Decides about a batch in the order it was read. Locks existing publications when they will be written. */
export async function decide(
  tx: Database,
  { source: atStart, run, isHeld, earlier }: Context,
  batch: ReadItem[],
  { isDry }: { isDry: boolean },
): Promise<Decision[]> {
  // The acteur may have been merged since the run started.
  const source = await withMergeTarget(tx, atStart)
  const ids = batch.flatMap(({ external_id, refused }) => (refused ? [] : (external_id ?? [])))
  const stored = await listLinks(tx, source.id, ids)
  const links = new Map<string | null, Link>(stored.map((link) => [link.external_id, link]))
  const unknown = batch.filter((item): item is Readable => !item.refused && !links.has(item.external_id))
  for (const [id, link] of await findEarlierLinks(tx, source.id, unknown)) links.set(id, link)
  const changed = batch.flatMap((item) => {
    const link = links.get(item.external_id)
    return item.refused || !link || isSame(link.said, digestsOf(item)) ? [] : [link.publication_id]
  })
  const found = await (isDry ? listPublications : listPublicationsForUpdate)(tx, changed)
  const publications = new Map(found.map((publication) => [publication.id, publication]))
  const fresh = unknown.filter(({ external_id }) => !links.has(external_id))
  const publisher = fresh.length === 0 ? null : await publishAs(tx, source)
  // An item that must wait for another reason keeps that reason.
  const waits = source.moderation_status === 'pending' || publisher?.whyPending !== null
  const as = isHeld && publisher && !waits ? { ...publisher, whyPending: heldReason } : publisher
  const keys = new Map(fresh.map((item) => [item, keyOf(item.content, source)]))
  const elsewhere = await listKeysElsewhere(tx, source.id, [...new Set(keys.values())])
  const known = batch.filter((item): item is Readable => !item.refused && links.has(item.external_id))
  const isRead = (id: string) => links.has(id) || earlier.ids.has(id)
  const signatures = new Set([
    ...(await listSignatures(tx, source, fresh, isRead)),
    ...known.map(signatureOf),
  ])

  return batch.map((item): Decision => {
    if (item.refused) return { item, ...item.refused }
    const link = links.get(item.external_id)
    if (link) {
      const decision = decideKnown(item, link, publications.get(link.publication_id), run.id)
      return link.external_id === item.external_id ? decision : { ...decision, formerly: link.external_id }
    }
    const signature = signatureOf(item)
    const isKnown = signature !== null && (signatures.has(signature) || earlier.signatures.has(signature))
    signatures.add(signature)
    const isDuplicate = isKnown || elsewhere.has(keys.get(item) ?? '')
    return decideNew(item, { source, run }, as, isDuplicate)
  })
}

/**
 * Returns the links of items with a new identifier that were imported under another one: an event that now
 * repeats, or an occurrence whose hour or naming changed. A link of the same hour takes precedence.
 */
async function findEarlierLinks(
  db: Database,
  sourceId: string,
  items: Readable[],
): Promise<Map<string | null, Link>> {
  const ids = items.flatMap(({ earlier }) => (earlier === null ? [] : [earlier.event, ...earlier.ofDay]))
  const free = await listLinksOfAnyHour(db, sourceId, ids)
  const found = new Map<string | null, Link>()
  for (const isSameHour of [true, false])
    for (const item of items) {
      if (found.has(item.external_id)) continue
      const index = free.findIndex((link) => isEarlier(link, item, { isSameHour }))
      const [link] = index === -1 ? [] : free.splice(index, 1)
      if (link) found.set(item.external_id, link)
    }
  return found
}

function isEarlier(link: Link, { earlier, content }: Readable, { isSameHour }: { isSameHour: boolean }) {
  if (earlier === null || earlier.inUse.includes(link.external_id)) return false
  const isUnchanged = (name: 'date_debut' | 'heure_debut') =>
    digestBefore(link.said, name) === digest(content[name])
  if (isSameHour && !isUnchanged('heure_debut')) return false
  if (link.external_id === earlier.event) return isUnchanged('date_debut')
  return earlier.ofDay.includes(withoutHour(link.external_id)) || earlier.ofDay.includes(link.external_id)
}

function decideNew(
  item: Readable,
  { source, run }: Pick<Context, 'source' | 'run'>,
  as: PublishAs | null,
  isDuplicate: boolean,
): Decision {
  if (isDuplicate && source.skip_duplicates)
    return { item, action: 'duplicate', reason: 'duplicate of another publication' }
  if (as === null) throw new Error('nobody to publish as')
  const creation = newPublication(item.content, source, as, run.started_at)
  const action = isDuplicate ? 'duplicate' : 'created'
  const isHeld = as.whyPending === heldReason
  const ownReason = isDuplicate
    ? 'let in, though duplicate of another publication'
    : (item.note ?? as.whyPending)
  const reason = isHeld ? heldReason : ownReason
  return {
    item,
    action,
    reason,
    publication_id: creation.id,
    creation,
    link: linkOf(item, creation.id, { run_id: run.id, action, reason }),
  }
}

/**
 * Updates a field that changed at the source only if the publication still has the source's former value.
 * Keeps local edits and decisions; never changes a deleted publication.
 */
function decideKnown(
  item: Readable,
  link: Link,
  before: StoredPublication | undefined,
  runId: string,
): Decision {
  const digests = digestsOf(item)
  const { publication_id } = link
  // Nothing changed, or an earlier attempt of this run already wrote the change.
  if (before === undefined || isSame(link.said, digests)) {
    const isDone = link.run_id === runId
    const [action, reason] = isDone ? [link.action, link.reason] : (['unchanged', null] as const)
    return { item, action, reason, publication_id }
  }
  if (before.deleted_at !== null)
    return { item, action: 'unchanged', reason: 'its publication was deleted', publication_id }
  const kept: string[] = []
  const content: Partial<ImportedContent> = {}
  for (const name of contentNames) {
    const lastDigest = digestBefore(link.said, name)
    if (lastDigest === digests[name]) continue
    if (digest(before[name]) === lastDigest) Object.assign(content, { [name]: item.content[name] })
    else if (digest(before[name]) !== digests[name]) kept.push(name)
  }
  const after = withContent(before, content, item.isCancelled && link.said.cancelled !== true)
  // Days and hours of the source that do not fit the edited ones are tried again, so that they count once they fit.
  const waiting = whenNames.filter((name) => name in content && after[name] !== content[name])
  kept.push(...waiting)
  const isChanged =
    contentNames.some((name) => after[name] !== before[name]) || after.en_avant !== before.en_avant
  const action = isChanged ? 'updated' : 'unchanged'
  const reason = kept.length > 0 ? `kept as edited here: ${kept.join(', ')}` : item.note
  return {
    item,
    action,
    reason,
    publication_id,
    ...(isChanged && { update: { before, after } }),
    link: withFormer(linkOf(item, before.id, { run_id: runId, action, reason }), link, waiting),
  }
}

/** Keeps what the source said before of these fields. */
function withFormer(link: Link, former: Link, names: readonly (typeof whenNames)[number][]): Link {
  const before = Object.fromEntries(names.map((name) => [name, digestBefore(former.said, name)]))
  return { ...link, said: { ...link.said, ...before } }
}

const linkOf = (
  item: Readable,
  publication_id: string,
  done: Pick<Link, 'run_id' | 'reason' | 'action'>,
): Link => ({ external_id: item.external_id ?? '', publication_id, said: digestsOf(item), ...done })

const withoutHour = (externalId: string) => externalId.replace(/T\d\d:\d\d:\d\dZ?$/, '')

/**
 * Returns the signatures of live publications of this source that new items may repeat. Omits those of items that
 * the run has read: what they say now counts.
 */
async function listSignatures(
  db: Database,
  source: SourceRow,
  fresh: Readable[],
  isRead: (externalId: string) => boolean,
): Promise<string[]> {
  const signed = fresh.filter(({ content }) => content.source_url !== null)
  const keys = [...new Set(signed.map(({ content }) => keyOf(content, source)))]
  const titles = [...new Set(signed.map(({ content }) => digest(content.title)))]
  const before = await listEarlierDigests(db, source.id, { keys, titles })
  return before.flatMap(({ external_id, said }) => (isRead(external_id) ? [] : signatureOfDigests(said)))
}
