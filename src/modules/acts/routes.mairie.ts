import { sql } from 'kysely'
import type { SignedIn } from '../../platform/access/caller.ts'
import { rightOver, withCanOf } from '../../platform/access/rules.ts'
import { settingsOf } from '../../platform/config/config.ts'
import { among, equals } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { notFound, unsupportedMediaType } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { acceptUploads, uploadLogLevel } from '../../platform/http/uploads.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { decoderOf } from '../media/decoding/decoder.ts'
import { maxDocumentBytes } from '../media/limits.ts'
import { sumBytes } from '../media/queries.ts'
import { uploadScanner } from '../media/scanning/upload.ts'
import { spaceIn } from '../media/sending.ts'
import { mediaSettings } from '../media/settings.ts'
import { createDraft, deleteAct, updateDraft } from './drafts.ts'
import { dueActsRoutes } from './due.ts'
import { pdfResponse, sendFile } from './files.ts'
import { actRules } from './permissions.ts'
import { maxRead, ProposedAct, proposalOf } from './proposal.ts'
import { archiveAct, occultAct, publishAct } from './publishing.ts'
import {
  getBeginning,
  getManagedAct,
  getTypedText,
  type ManagedRow,
  managedColumns,
  sumFileBytes,
} from './queries.ts'
import { ofYear } from './reading.ts'
import {
  ActUpdate,
  ActUpload,
  ByActeur,
  ManagedAct,
  type ManagedActsQuery,
  ManagedActsQuery as ManagedQuery,
  Occultation,
  OfActeur,
} from './schema.ts'
import { actActions } from './states.ts'

const path = '/mairie/acteurs/:acteurId/acts'
const guarded = { needs: actRules.publish.name, limit: 'act' }

export function actsOfMairieRoutes(scope: SignedInScope, deps: Deps): void {
  dueActsRoutes(scope, deps)
  readingRoutes(scope, deps)
  draftRoutes(scope, deps)
  publishingRoutes(scope, deps)
}

function readingRoutes(scope: SignedInScope, { reads, lists, clock }: Deps): void {
  scope.get(
    path,
    {
      schema: {
        operationId: 'listMairieActs',
        summary: 'Acts of a mairie in every state, the newest first',
        params: ByActeur,
        querystring: ManagedQuery,
        response: { 200: ListPage(ManagedAct) },
      },
    },
    async ({ params, query, caller }) =>
      listPage(lists, managedList, { ...query, acteur_id: params.acteurId }, (rows) =>
        rows.map((row) => shownTo(caller, row, clock())),
      ),
  )

  scope.get(
    `${path}/:id`,
    {
      schema: {
        operationId: 'getMairieAct',
        summary: 'Read an act of a mairie, published or not; a draft with what its text says of it',
        params: OfActeur,
        response: { 200: record(ProposedAct) },
      },
    },
    async ({ params, caller }) => ({
      data: await proposedTo(caller, await getManagedAct(reads, params.acteurId, params.id), {
        db: reads,
        now: clock(),
      }),
    }),
  )

  scope.get(
    `${path}/:id/pdf`,
    {
      schema: {
        operationId: 'getMairieActFile',
        summary: 'The file of an act of a mairie, published or not',
        params: OfActeur,
        response: { 200: pdfResponse, 206: pdfResponse },
      },
    },
    async (request, reply) => {
      const { acteurId, id } = request.params
      const act = await getManagedAct(reads, acteurId, id)
      if (act.state === 'occulted') throw notFound()
      return sendFile(reads, request, reply.header('cache-control', 'private, no-store'), act) as never
    },
  )
}

function draftRoutes(scope: SignedInScope, { db, reads, config, jobs, log, clock }: Deps): void {
  const { maxTotalBytes } = settingsOf(config, mediaSettings)
  // Acts and media share the disk.
  const sum = async () => (await sumBytes(reads)) + (await sumFileBytes(reads))
  const requireSpace = spaceIn(sum, maxTotalBytes)
  const scanUpload = uploadScanner({ config, log })
  const tools = { db, decoder: decoderOf({ jobs, log }), scanUpload, requireSpace, clock }
  acceptUploads(scope)
  scope.post(
    path,
    {
      logLevel: uploadLogLevel(log),
      config: {
        ...guarded,
        audits: 'act.create',
        load: { upload: maxDocumentBytes },
        refusals: ['media_full', 'act_exists'],
        location: `${path}/{id}`,
      },
      schema: {
        operationId: 'createAct',
        summary:
          'Prepare an act from its PDF: a draft, which only the mairie sees; the response says what its text proposes',
        consumes: ['multipart/form-data'],
        params: ByActeur,
        body: ActUpload,
        response: { 201: record(ProposedAct) },
      },
    },
    async ({ params: { acteurId }, body, caller, upload }, reply) => {
      if (upload === null) throw unsupportedMediaType()
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      const { id } = await createDraft(tools, caller, { acteurId, body, upload, signal: left.signal })
      const row = await getManagedAct(db, acteurId, id)
      return reply.code(201).send({ data: await proposedTo(caller, row, { db, now: clock() }) })
    },
  )

  scope.patch(
    `${path}/:id`,
    {
      config: {
        ...guarded,
        audits: 'act.update',
        refusals: ['precondition_failed', 'act_in_force', 'act_exists'],
      },
      schema: {
        operationId: 'updateAct',
        summary: 'Change a draft; what is published never changes',
        params: OfActeur,
        body: ActUpdate,
        response: { 200: record(ManagedAct) },
      },
    },
    async ({ params, body, caller }) => {
      await updateDraft(db, caller, params, body, clock())
      return { data: shownTo(caller, await getManagedAct(db, params.acteurId, params.id), clock()) }
    },
  )

  scope.delete(
    `${path}/:id`,
    {
      config: {
        ...guarded,
        audits: 'act.delete',
        refusals: ['precondition_failed', 'act_in_force', 'conflict'],
      },
      schema: {
        operationId: 'deleteAct',
        summary: 'Delete a draft with its file; the response shows it as it last was',
        params: OfActeur,
        response: { 200: record(ManagedAct) },
      },
    },
    async ({ params, caller }) => {
      const last = await getManagedAct(db, params.acteurId, params.id)
      await deleteAct(db, caller, params, clock())
      return { data: { ...shownTo(caller, last, clock()), can: [] } }
    },
  )
}

function publishingRoutes(scope: SignedInScope, { db, clock }: Deps): void {
  const present = async (caller: SignedIn, { acteurId, id }: { acteurId: string; id: string }) => ({
    data: shownTo(caller, await getManagedAct(db, acteurId, id), clock()),
  })
  scope.patch(
    `${path}/:id/publish`,
    {
      config: {
        ...guarded,
        audits: 'act.publish',
        confirms: true,
        refusals: ['precondition_failed', 'conflict', 'act_exists', 'validation_failed'],
      },
      schema: {
        operationId: 'publishAct',
        summary: 'Publish a draft for good, with its seal; the act that it corrects is superseded',
        params: OfActeur,
        response: { 200: record(ManagedAct) },
      },
    },
    async ({ params, caller }) => {
      await publishAct({ db, clock }, caller, params)
      return present(caller, params)
    },
  )

  scope.patch(
    `${path}/:id/archive`,
    {
      config: {
        ...guarded,
        audits: 'act.archive',
        confirms: true,
        refusals: ['precondition_failed', 'conflict', 'act_in_force'],
      },
      schema: {
        operationId: 'archiveAct',
        summary: 'Take an act off the lists after two months; its address and its proof stay',
        params: OfActeur,
        response: { 200: record(ManagedAct) },
      },
    },
    async ({ params, caller }) => {
      await archiveAct(db, caller, params, clock())
      return present(caller, params)
    },
  )

  scope.patch(
    `${path}/:id/occult`,
    {
      config: {
        ...guarded,
        audits: 'act.occult',
        confirms: true,
        refusals: ['precondition_failed', 'conflict'],
      },
      schema: {
        operationId: 'occultAct',
        summary:
          'Remove the file of a published act that a court or the CNIL wants gone; the entry and its digest stay',
        params: OfActeur,
        body: Occultation,
        response: { 200: record(ManagedAct) },
      },
    },
    async ({ params, body, caller }) => {
      await occultAct(db, caller, params, { reason: body.reason.trim(), now: clock() })
      return present(caller, params)
    },
  )
}

/** Returns an act as its mairie sees it. Members without the permission may read it. */
function shownTo({ user }: SignedIn, row: ManagedRow, now: Date): ManagedAct {
  const url = row.state === 'occulted' ? null : `/api/v1/mairie/acteurs/${row.acteur_id}/acts/${row.id}/pdf`
  const { can, ...act } = withCanOf(actActions(now))({ ...row, url })
  const mayAct = rightOver(user, row.acteur_id, [actRules.publish]) === 'allowed'
  return { ...act, can: mayAct ? can : [] }
}

/** Adds what the text of a draft says of it. */
async function proposedTo(caller: SignedIn, row: ManagedRow, { db, now }: { db: Database; now: Date }) {
  const text = row.state === 'draft' ? await getBeginning(db, row.id, maxRead) : ''
  const proposal = row.state === 'draft' ? proposalOf(text, todayInParis(now)) : null
  return {
    ...shownTo(caller, row, now),
    proposal,
    text: row.typed_text ? await getTypedText(db, row.id) : null,
  }
}

const managedList: List<ManagedActsQuery & { acteur_id: string }, ManagedRow> = {
  name: 'acts-of-mairie',
  from: sql`acts ac`,
  as: 'ac',
  filters: {
    acteur_id: equals('ac.acteur_id'),
    state: among('ac.state'),
    kind: among('ac.kind'),
    year: ofYear,
  },
  sorts: { id: [byId] },
  defaults: { sort: 'id_desc' },
  columns: managedColumns,
}
