import { isDeepStrictEqual } from 'node:util'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { change } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { Can, nullable, record, strictPartial, text, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { isLive, publicationActions, withCan } from './decisions/states.ts'
import { withFetchedImage } from './fetched-images/with-fetched-image.ts'
import { namesIn, namesOf } from './fields.ts'
import { recordVersions } from './history.ts'
import { queueMails } from './notify.ts'
import { getManagedPublication, type StoredPublication } from './queries.ts'
import { publication } from './record.ts'
import { ById, ManagedPublication, writtenContent } from './schema.ts'
import { cleanContent, completeContent, contentOf, withoutStaleHours } from './writing/content.ts'
import { duplicateKey } from './writing/duplicates.ts'

const corrected = namesIn('corrections')

const Correction = strictPartial({
  ...(Object.fromEntries(corrected.map((name) => [name, writtenContent[name]])) as Pick<
    typeof writtenContent,
    (typeof corrected)[number]
  >),
  image_url: Type.Null({
    description: 'Removes the image; only its author can choose another one',
    examples: [null],
  }),
  reason: nullable(
    text(1_000, { description: 'Sent to the author', examples: ['La date était celle de 2025.'] }),
  ),
})
type Correction = Static<typeof Correction>

/** A publication after a correction. */
const CorrectedPublication = titled('CorrectedPublication', {
  ...ManagedPublication.properties,
  can: Can(publicationActions),
})
type CorrectedPublication = Static<typeof CorrectedPublication>

export function correctingAdminRoutes(scope: SignedInScope, tools: Deps): void {
  scope.patch(
    '/admin/publications/:id',
    {
      config: {
        audits: 'publication.correct',
        limit: 'moderate',
        refusals: ['conflict', 'precondition_failed'],
      },
      schema: {
        operationId: 'correctPublication',
        summary: 'Correct its content; the status stays, and the author gets a mail',
        params: ById,
        body: Correction,
        response: { 200: record(CorrectedPublication) },
      },
    },
    async ({ params, body, caller }) => ({ data: await correctPublication(tools, caller, params.id, body) }),
  )
}

/**
 * Corrects content in the back-office. The status stays, and the author gets a mail. Imports update only
 * fields that still have their source's value, so they never overwrite a correction.
 */
function correctPublication(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  id: string,
  { reason = null, ...body }: Correction,
): Promise<CorrectedPublication> {
  const given = cleanContent(body)
  const answer = async (tx: Database, after: StoredPublication) =>
    withCan(await getManagedPublication(tx, after))
  const wanted = { id, action: 'publication.correct' }
  return change(db, caller, publication, wanted, async (tx, before, save) => {
    // A deleted publication must be restored first.
    if (!isLive(before)) throw conflict()
    const written = completeContent(withoutStaleHours({ ...contentOf(before), ...given }, given))
    const { fetched_image, ...content } = withFetchedImage(before, written)
    for (const field of namesOf('images', 'documents'))
      if (content[field]?.some((id) => !before[field]?.includes(id))) throw invalid(field, onlyRemoved)
    if (isDeepStrictEqual(content, contentOf(before))) return answer(tx, await save({}))
    await recordVersions(tx, [{ id, before, after: content }], { userId: caller.user.id, how: 'corrected' })
    await queueMails(tx, { jobs }, caller, {
      kind: 'corrected',
      decisionId: null,
      publicationIds: [before.id],
      reason,
    })
    const duplicate_key = duplicateKey({ ...content, acteur_id: before.acteur_id })
    const related = reason === null ? {} : { after: { reason } }
    return answer(tx, await save({ ...content, fetched_image, duplicate_key }, related))
  })
}

const onlyRemoved = {
  en: 'may leave some out; only its author can choose others',
  fr: 'peut en omettre ; seul l’auteur peut en choisir d’autres',
}
