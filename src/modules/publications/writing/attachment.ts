import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { type Problem, validationFailed } from '../../../platform/errors.ts'
import { requireMayAttach } from './authorise.ts'
import { type ActeurRow, listCommunesForShare } from './queries.ts'
import type { PublicationUpdate } from './schema.ts'

/** The communes a publication is shown in, and the first of them. */
export type Attachment = { commune_id: string | null; commune_ids: string[] }
/** The acteur it is written for; an administrator may choose any communes. */
type Writer = { acteur: ActeurRow | null; asAdmin: boolean }
type Asked = Pick<PublicationUpdate, keyof Attachment>

/**
 * Determines the communes of a publication: the acteur's own, or for a mairie those that name it; an
 * administrator may choose any. Fields that the request omits stay, or default to the acteur's.
 */
export async function attach(
  tx: Database,
  caller: SignedIn,
  { acteur, asAdmin }: Writer,
  asked: Asked,
  current: Attachment | null = null,
): Promise<Attachment> {
  const named = [asked.commune_id, ...(asked.commune_ids ?? [])].filter((id) => typeof id === 'string')
  const communes = await listCommunesForShare(tx, named, acteur)
  refuseUnknown(asked, new Set(communes.map(({ id }) => id)))
  const ofActeur = communes.filter(({ of_acteur }) => of_acteur).map(({ id }) => id)
  // The acteur's own commune first, then those that name it.
  const preferred = ofActeur.find((id) => id === acteur?.commune_id) ?? ofActeur[0] ?? null
  const attachment = choose(asked, preferred, current)
  if (current !== null && isSame(attachment, current)) return current
  requireMayAttach(caller, attachment.commune_ids, asAdmin ? null : ofActeur)
  return attachment
}

function choose(asked: Asked, preferred: string | null, current: Attachment | null): Attachment {
  const { commune_id, commune_ids } = asked
  const preselected =
    commune_id === undefined && current !== null ? current.commune_id : (commune_id ?? preferred)
  if (commune_ids !== undefined) {
    // A given `commune_id` is first, even if the list omits it; otherwise the first one is in the list.
    const [head = preselected] = commune_ids
    const first =
      typeof commune_id === 'string' || commune_ids.includes(preselected ?? '') ? preselected : head
    return attachmentOf(first, commune_ids)
  }
  const others = current?.commune_ids ?? []
  // Replaces the first commune and keeps the others.
  const kept =
    preselected !== null && others.includes(preselected)
      ? others
      : others.filter((id) => id !== current?.commune_id)
  return attachmentOf(preselected, kept)
}

const attachmentOf = (first: string | null, others: string[]): Attachment => ({
  commune_id: first,
  commune_ids: [...new Set([...(first === null ? [] : [first]), ...others])].sort(),
})

/** Compares attachments, whose lists are sorted. */
const isSame = (attachment: Attachment, other: Attachment): boolean =>
  attachment.commune_id === other.commune_id && `${attachment.commune_ids}` === `${other.commune_ids}`

function refuseUnknown({ commune_id, commune_ids = [] }: Asked, known: Set<string>): void {
  const fields = [
    ...(typeof commune_id === 'string' ? [{ field: 'commune_id', id: commune_id }] : []),
    ...commune_ids.map((id, index) => ({ field: `commune_ids.${index}`, id })),
  ]
  const problems: Problem[] = fields
    .filter(({ id }) => !known.has(id))
    .map(({ field }) => ({
      field,
      message: { en: 'must be an existing commune', fr: 'doit être une commune existante' },
    }))
  if (problems.length > 0) throw validationFailed(problems)
}
