import { operator, type SignedIn } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { withFetchedImage } from '../fetched-images/with-fetched-image.ts'
import { namesOf } from '../fields.ts'
import { recordVersions } from '../history.ts'
import { moderateBulk } from '../moderation/bulk.ts'
import type { Tools } from '../moderation/rules.ts'
import type { StoredPublication } from '../queries.ts'
import { publication } from '../record.ts'
import { recurrenceProblems } from '../recurrence.ts'
import { hoursProblem } from '../writing/content.ts'
import { duplicateKey } from '../writing/duplicates.ts'
import { slugOf } from '../writing/rules.ts'
import type { ImportedContent } from './content.ts'
import type { ImportSource, PublishAs } from './publish-as.ts'
import { insertPublications, updateImported } from './queries.ts'

export type { StoredPublication } from '../queries.ts'

type Source = ImportSource & { type_id: string | null }

/** Builds the publication of an item: published if its source and its acteur allow it, otherwise pending. */
export function newPublication(content: ImportedContent, source: Source, as: PublishAs, now: Date) {
  const { acteur_id, type_id } = source
  const id = uuidv7()
  return {
    id,
    slug: slugOf(content.title, id),
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
export type NewPublication = ReturnType<typeof newPublication>

/** Returns the key that an item shares with its probable duplicates. */
export const keyOf = (content: ImportedContent, { acteur_id, type_id }: Source): string =>
  duplicateKey({ ...content, acteur_id, type_id })

/** Applies imported content: a cancelled event is no longer featured; days or hours that cannot be are ignored. */
export function withContent(
  before: StoredPublication,
  content: Partial<ImportedContent>,
  isCancelled: boolean,
): StoredPublication {
  const featuring = isCancelled ? { en_avant: false, featured_until: null } : {}
  const after = { ...before, ...content, ...featuring }
  const { date_debut, date_fin } = after
  const isBackwards = date_debut !== null && date_fin !== null && date_fin < date_debut
  if (isBackwards || hoursProblem(after) !== null || recurrenceProblems(after).length > 0)
    for (const name of whenNames) Object.assign(after, { [name]: before[name] })
  return { ...withFetchedImage(before, after), duplicate_key: duplicateKey(after) }
}

export const whenNames = namesOf('day', 'hour')

type Changes = {
  created: NewPublication[]
  updated: { before: StoredPublication; after: StoredPublication }[]
}

/** Writes the changes of a batch of items in a few statements, with audit entries that name the source. */
export async function writeImported(
  tx: Database,
  sourceId: string,
  { created, updated }: Changes,
  { isAudited }: { isAudited: boolean },
): Promise<void> {
  await updateImported(tx, updated)
  await recordVersions(
    tx,
    updated.map(({ before, after }) => ({ id: before.id, before, after })),
    { userId: null, how: 'imported' },
  )
  const inserted = await insertPublications(tx, created)
  if (!isAudited) return
  const by = { import_source_id: sourceId }
  await append(tx, operator, [
    ...inserted.map((row) => changeOf(row.id, null, { ...publication.auditedValues(row), ...by })),
    ...updated.map(({ before, after }) =>
      changeOf(before.id, publication.auditedValues(before), { ...publication.auditedValues(after), ...by }),
    ),
  ])
}

type Values = Record<string, unknown>
const changeOf = (entityId: string, before: Values | null, after: Values) => ({
  action: 'publication.import',
  kind: publication,
  entityId,
  before,
  after,
})

/**
 * Decides about imported publications together; returns how many changed. Sends no mail: nobody wrote them, and a source
 * has thousands. The space of the acteur shows the statements.
 */
export async function decideImported(
  tools: Tools,
  caller: SignedIn,
  decided: { ids: string[]; moderation_status: 'published' | 'rejected'; reason: string | null },
): Promise<number> {
  const { meta } = await moderateBulk(tools, caller, decided, { mails: false })
  return meta.updated
}
