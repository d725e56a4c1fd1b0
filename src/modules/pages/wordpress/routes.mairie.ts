import { unsupportedMediaType } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { acceptUploads, uploadLogLevel } from '../../../platform/http/uploads.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { communeRules, requireInScope } from '../../communes/permissions.ts'
import { readerSlots } from '../../imports/readers/slots.ts'
import { ByCommune } from '../schema.ts'
import { maxExportBytes } from './read-export.ts'
import { importPages } from './rules.ts'
import { WordPressFile, WordPressImport } from './schema.ts'

/** The route that takes the pages of a site made with WordPress. */
export function wordPressRoutes(scope: SignedInScope, { db, log }: Deps): void {
  acceptUploads(scope)
  scope.post(
    '/mairie/communes/:communeId/pages/wordpress-import',
    {
      logLevel: uploadLogLevel(log),
      config: {
        needs: communeRules.editForMairie.name,
        limit: { name: 'edit', sparesAdmins: true },
        audits: 'page.create',
        load: { upload: maxExportBytes },
        refusals: ['validation_failed', 'too_many_pages'],
      },
      schema: {
        operationId: 'importWordPressPages',
        summary: 'Import the pages of a WordPress export as drafts, all or none; first as a dry run',
        description: 'Pages that exist stay as they are: the same file sent again creates none.',
        consumes: ['multipart/form-data'],
        params: ByCommune,
        body: WordPressFile,
        response: { 200: record(WordPressImport) },
      },
    },
    async ({ params: { communeId }, body, caller, upload }, reply) => {
      requireInScope(caller, communeId)
      if (upload === null) throw unsupportedMediaType()
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      await readerSlots.take(left.signal)
      try {
        const file = { communeId, isDryRun: body.dry_run ?? true, read: upload.read }
        return { data: await importPages(db, caller, file) }
      } finally {
        readerSlots.release()
      }
    },
  )
}
