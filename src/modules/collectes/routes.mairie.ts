import Type from 'typebox'
import { unsupportedMediaType } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { adminPerPage, Page } from '../../platform/http/listing/paging.ts'
import { acceptUploads, uploadLogLevel } from '../../platform/http/uploads.ts'
import { noBody, record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { calendarOf } from './calendar-of.ts'
import { listMemberCollectes, tableOfMembers } from './members.ts'
import { collecteRules } from './permissions.ts'
import { appliedImports, getPlanned } from './queries.ts'
import { allowedCommunes, applyImport, checkFile, readerFor, shownTo, undoImport } from './rules.ts'
import {
  ByActeur,
  ByCommune,
  ById,
  CollecteImport,
  CollecteImportCalendar,
  CollecteImportFull,
  FileOfCollectes,
  MemberCollectes,
  maxBytes,
  PageQuery,
} from './schema.ts'

const path = '/mairie/acteurs/:acteurId/collecte-imports'
const guarded = { needs: collecteRules.import.name, limit: { name: 'edit', sparesAdmins: true } } as const

/** The routes by which the team of a group's acteur sets the collections of all members at once. */
export function collectesOfGroupRoutes(scope: SignedInScope, deps: Deps): void {
  membersRoutes(scope, deps)
  checkingRoutes(scope, deps)
  readingRoutes(scope, deps)
  applyingRoutes(scope, deps)
}

function membersRoutes(scope: SignedInScope, { reads, lists, clock }: Deps): void {
  scope.get(
    '/mairie/acteurs/:acteurId/collectes',
    {
      schema: {
        operationId: 'listMemberCollectes',
        summary: 'Members of a group by name, with the state of their waste collections',
        params: ByActeur,
        querystring: PageQuery,
        response: { 200: Page(MemberCollectes) },
      },
    },
    async ({ params: { acteurId }, query, caller }) => {
      const of = { acteurId, communeIds: allowedCommunes(caller) }
      return listMemberCollectes(lists, of, query, todayInParis(clock()))
    },
  )

  scope.get(
    '/mairie/acteurs/:acteurId/collectes/table',
    {
      config: { load: 'file' },
      schema: {
        operationId: 'getTableOfCollectes',
        summary: 'The collections of all members as a CSV file, to be filled in and imported',
        params: ByActeur,
        response: { 200: { description: 'The table', content: { 'text/csv': { schema: Table } } } },
      },
    },
    async ({ params: { acteurId }, caller }, reply) => {
      const of = { acteurId, communeIds: allowedCommunes(caller) }
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="collectes.csv"')
        .send((await Array.fromAsync(tableOfMembers(reads, of))).join(''))
    },
  )
}

const Table = Type.String({
  title: 'TableOfCollectes',
  examples: ['code_insee;commune;secteur;type;libelle'],
})

function checkingRoutes(scope: SignedInScope, { db, log, clock }: Deps): void {
  acceptUploads(scope)
  scope.post(
    path,
    {
      logLevel: uploadLogLevel(log),
      config: {
        ...guarded,
        audits: 'collecte_import.create',
        load: { upload: maxBytes },
        refusals: ['validation_failed'],
        location: `${path}/{id}`,
      },
      schema: {
        operationId: 'checkCollectes',
        summary: 'Check a file of waste collections: what it would do in each commune. No commune changes',
        description: 'A check that is not applied is deleted after a day.',
        consumes: ['multipart/form-data'],
        params: ByActeur,
        body: FileOfCollectes,
        response: { 201: record(CollecteImportFull) },
      },
    },
    async ({ params: { acteurId }, body, caller, upload }, reply) => {
      if (upload === null) throw unsupportedMediaType()
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      const file = { acteurId, bytes: await upload.read(), body, today: todayInParis(clock()) }
      const data = await checkFile(db, caller, { ...file, signal: left.signal })
      return reply.code(201).send({ data })
    },
  )
}

function readingRoutes(scope: SignedInScope, { reads, lists, clock }: Deps): void {
  scope.get(
    path,
    {
      schema: {
        operationId: 'listCollecteImports',
        summary: 'Imports of waste collections that were applied in the last 30 days, the latest first',
        params: ByActeur,
        querystring: PageQuery,
        response: { 200: Page(CollecteImport) },
      },
    },
    async ({ params: { acteurId }, query, caller }) =>
      numberedPage(lists, appliedImports, { ...query, acteur_id: acteurId }, adminPerPage, shownTo(caller)),
  )

  scope.get(
    `${path}/:id`,
    {
      schema: {
        operationId: 'getCollecteImport',
        summary:
          'Read an import of waste collections: the communes that it names, and what could not be read',
        params: ById,
        response: { 200: record(CollecteImportFull) },
      },
    },
    async ({ params: { acteurId, id }, caller }) => ({
      data: await readerFor(caller)(reads, { id, acteur_id: acteurId }),
    }),
  )

  scope.get(
    `${path}/:id/communes/:communeId`,
    {
      schema: {
        operationId: 'getCollecteImportCalendar',
        summary: 'Twelve months of the collections of a commune, before and after an import',
        params: ByCommune,
        response: { 200: record(CollecteImportCalendar) },
      },
    },
    async ({ params }) => {
      const { id, nom, code_insee, departement, before, after } = await getPlanned(reads, params)
      const calendar = calendarOf(before, after, { departement }, todayInParis(clock()))
      return { data: { commune_id: id, nom, code_insee, ...calendar } }
    },
  )
}

function applyingRoutes(scope: SignedInScope, { db, clock }: Deps): void {
  for (const [name, act, summary, description] of [
    [
      'apply',
      applyImport,
      'Replace the collections of the communes of an import; those that have changed since it was checked stay',
      '409: it was undone, or nothing is left to replace.',
    ],
    [
      'undo',
      undoImport,
      'Restore the collections that an import replaced; those that have changed since stay',
      '409: it was not applied, or nothing is left to restore.',
    ],
  ] as const)
    scope.post(
      `${path}/:id/${name}`,
      {
        config: {
          ...guarded,
          audits: `collecte_import.${name}, commune.update`,
          refusals: ['conflict', 'precondition_failed'],
        },
        schema: {
          operationId: `${name}CollecteImport`,
          summary,
          description,
          params: ById,
          body: noBody,
          response: { 200: record(CollecteImportFull) },
        },
      },
      async ({ params: { acteurId, id }, caller }) => ({
        data: await act(db, caller, acteurId, id, clock()),
      }),
    )
}
