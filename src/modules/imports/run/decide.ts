import { hash } from 'node:crypto'
import type { Database } from '../../../platform/database/connect.ts'
import { uuidv7 } from '../../../platform/uuid.ts'
import { listPublications, listPublicationsForUpdate } from '../../publications/importing/queries.ts'
import type { StoredPublication } from '../../publications/queries.ts'
import { duplicateKey } from '../../publications/writing/duplicates.ts'
import { slugOf } from '../../publications/writing/rules.ts'
import type { SourceRow } from '../queries.ts'
import type { ItemContent, ReadItem } from '../readers/item.ts'
import type { Action } from '../schema.ts'
import { type PublishAs, publishAs } from './publish-as.ts'
import { type Link, listKeysElsewhere, listLinks, type RunUnderWay, type Said } from './queries.ts'

/** What becomes of an item. Only what `apply` then writes tells a real run from a dry one. */
export type Decision = {
  item: Pick<ReadItem, 'external_id' | 'title'>
  action: Action
  reason: string | null
  /** A publication to be. */
  creation?: Creation
  /** One that is there, as it was and as it is to be. */
  update?: { before: StoredPublication; after: StoredPublication }
  /** What is remembered of the item. */
  link?: Link
}
type Creation = ReturnType<typeof creationOf>
type Readable = Extract<ReadItem, { refused: null }>
type Context = { source: SourceRow; run: Pick<RunUnderWay, 'id' | 'started_at'> }

/** Decides on a batch, in the order in which it was read. What is there is held when it is to be written. */
export async function decide(
  tx: Database,
  { source, run }: Context,
  batch: ReadItem[],
  { isDry }: { isDry: boolean },
): Promise<Decision[]> {
  const ids = batch.flatMap(({ external_id, refused }) => (refused ? [] : (external_id ?? [])))
  const links = new Map((await listLinks(tx, source.id, ids)).map((link) => [link.external_id, link]))
  const changed = batch.flatMap((item) => {
    const link = links.get(item.external_id ?? '')
    return item.refused || !link || isSame(link.said, saidOf(item)) ? [] : [link.publication_id]
  })
  const stored = await (isDry ? listPublications : listPublicationsForUpdate)(tx, changed)
  const publications = new Map(stored.map((publication) => [publication.id, publication]))
  const fresh = batch.filter((item): item is Readable => !item.refused && !links.has(item.external_id ?? ''))
  const as = fresh.length === 0 ? null : await publishAs(tx, source)
  const keys = new Map(fresh.map((item) => [item, keyOf(item.content, source)]))
  const elsewhere = await listKeysElsewhere(tx, source.id, [...new Set(keys.values())])

  return batch.map((item): Decision => {
    if (item.refused) return { item, ...item.refused }
    const link = links.get(item.external_id ?? '')
    if (link) return decideKnown(item, link, publications.get(link.publication_id), run.id)
    const isDuplicate = elsewhere.has(keys.get(item) ?? '')
    return decideNew(item, { source, run }, as, isDuplicate)
  })
}

function decideNew(
  item: Readable,
  { source, run }: Context,
  as: PublishAs | null,
  isDuplicate: boolean,
): Decision {
  if (isDuplicate && source.skip_duplicates)
    return { item, action: 'duplicate', reason: 'another publication says the same' }
  if (as === null) throw new Error('nobody to publish as')
  const creation = creationOf(item, source, as, run.started_at)
  const action = isDuplicate ? 'duplicate' : 'created'
  const reason = isDuplicate
    ? 'let in, though another publication says the same'
    : (item.note ?? as.whyPending)
  return {
    item,
    action,
    reason,
    creation,
    link: linkOf(item, creation.id, { run_id: run.id, action, reason }),
  }
}

/**
 * What the source says anew is taken over field by field, where the publication still has what the source said before.
 * What was edited here stays, and so does what was decided: a deleted publication is left alone altogether.
 */
function decideKnown(
  item: Readable,
  link: Link,
  before: StoredPublication | undefined,
  runId: string,
): Decision {
  const said = saidOf(item)
  // An earlier attempt of this very run has done it, or there is nothing to do.
  if (before === undefined || isSame(link.said, said)) {
    const isDone = link.run_id === runId
    return { item, action: isDone ? link.action : 'unchanged', reason: isDone ? link.reason : null }
  }
  if (before.deleted_at !== null) return { item, action: 'unchanged', reason: 'it was deleted here' }
  const kept: string[] = []
  const content: Partial<ItemContent> = {}
  for (const name of contentNames) {
    if (link.said[name] === said[name]) continue
    if (digest(before[name]) === link.said[name]) Object.assign(content, { [name]: item.content[name] })
    else if (digest(before[name]) !== said[name]) kept.push(name)
  }
  const after = withContent(before, content, item.isCancelled && link.said.cancelled !== true)
  const isChanged =
    contentNames.some((name) => after[name] !== before[name]) || after.en_avant !== before.en_avant
  const action = isChanged ? 'updated' : 'unchanged'
  const reason = kept.length > 0 ? `kept as edited here: ${kept.join(', ')}` : item.note
  return {
    item,
    action,
    reason,
    ...(isChanged && { update: { before, after } }),
    link: linkOf(item, before.id, { run_id: runId, action, reason }),
  }
}

/** An event that is called off is no longer featured. Days that would be out of order stay as they were. */
function withContent(
  before: StoredPublication,
  content: Partial<ItemContent>,
  isCalledOff: boolean,
): StoredPublication {
  const featuring = isCalledOff ? { en_avant: false, featured_until: null } : {}
  const after = { ...before, ...content, ...featuring }
  const { date_debut, date_fin } = after
  if (date_debut !== null && date_fin !== null && date_fin < date_debut)
    Object.assign(after, { date_debut: before.date_debut, date_fin: before.date_fin })
  return { ...after, duplicate_key: duplicateKey(after) }
}

function creationOf({ content }: Readable, source: SourceRow, as: PublishAs, now: Date) {
  const { acteur_id, type_id } = source
  return {
    id: uuidv7(),
    slug: slugOf(content.title),
    ...content,
    type_id,
    acteur_id,
    commune_id: as.commune_id,
    commune_ids: as.commune_ids,
    duplicate_key: keyOf(content, source),
    ...(as.whyPending === null && source.moderation_status === 'published'
      ? { moderation_status: 'published', valide: true, publie_le: now }
      : { moderation_status: 'pending', valide: false, publie_le: null }),
  }
}

const keyOf = (content: ItemContent, { acteur_id, type_id }: SourceRow) =>
  duplicateKey({ ...content, acteur_id, type_id })

const linkOf = (
  item: Readable,
  publication_id: string,
  done: Pick<Link, 'run_id' | 'reason' | 'action'>,
): Link => ({ external_id: item.external_id ?? '', publication_id, said: saidOf(item), ...done })

const contentNames = ['title', 'body', 'date_debut', 'date_fin', 'source_url', 'image_url'] as const

/** Of each field a digest: enough to see that it is another. */
function saidOf({ content, isCancelled }: Readable): Said {
  const digests = contentNames.map((name) => [name, digest(content[name])])
  return { ...Object.fromEntries(digests), cancelled: isCancelled }
}

const digest = (value: string | null) => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 16)

const isSame = (said: Said, other: Said) =>
  said.cancelled === other.cancelled && contentNames.every((name) => said[name] === other[name])
