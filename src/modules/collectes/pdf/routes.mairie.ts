import Type from 'typebox'
import { invalid, type Text, unsupportedMediaType } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { acceptUploads, uploadLogLevel } from '../../../platform/http/uploads.ts'
import { DateOnly, oneOf, record, strictObject, titled } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { todayInParis } from '../../../platform/time/paris-time.ts'
import { collecteRules } from '../permissions.ts'
import { ByActeur, maxBytes } from '../schema.ts'
import { readInProcess } from './read-in-process.ts'
import { noteCodes, type Unreadable } from './read-pdf.ts'

const PdfOfCalendar = strictObject(
  {
    file: Type.String({
      maxLength: 1_000,
      contentMediaType: 'application/pdf',
      description: 'PDF of at most 10 MB and 12 pages',
      examples: ['collectes-2027.pdf'],
    }),
  },
  { title: 'PdfOfCalendar' },
)

const ProposedCalendar = titled('ProposedCalendar', {
  du: DateOnly('The first date'),
  au: DateOnly('The last date'),
  collectes: Type.Array(
    titled('ProposedCollecte', {
      type_dechet: Type.String({ examples: ['emballages'] }),
      libelle: Type.String({ examples: ['Bac jaune'] }),
      dates: Type.Array(DateOnly()),
    }),
  ),
  notes: Type.Array(
    oneOf(
      noteCodes,
      'What somebody should look at: `year_assumed`: no year is written; `weekdays_differ`: the weekdays are those of another year',
    ),
  ),
})

/** The route that reads the PDF of a calendar. */
export function proposingRoutes(scope: SignedInScope, { log, clock }: Deps): void {
  acceptUploads(scope)
  scope.post(
    '/mairie/acteurs/:acteurId/collectes/proposal',
    {
      logLevel: uploadLogLevel(log),
      config: {
        needs: collecteRules.import.name,
        limit: { name: 'edit', sparesAdmins: true },
        load: { upload: maxBytes },
        refusals: ['validation_failed'],
      },
      schema: {
        operationId: 'proposeCollectes',
        summary:
          'Read the PDF of a calendar of waste collections, as a proposal that somebody confirms or mends',
        description: 'Nothing is stored. What is confirmed is sent to be checked, as `{collectes}`.',
        consumes: ['multipart/form-data'],
        params: ByActeur,
        body: PdfOfCalendar,
        response: { 200: record(ProposedCalendar) },
      },
    },
    async ({ upload }, reply) => {
      if (upload === null) throw unsupportedMediaType()
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      const bytes = await upload.read()
      if (bytes.toString('latin1', 0, 5) !== '%PDF-') throw invalid('file', refusals.other)
      const read = await readInProcess(bytes, todayInParis(clock()), { signal: left.signal })
      if ('unreadable' in read) throw invalid('file', refusals[read.unreadable])
      return { data: read.proposal }
    },
  )
}

const refusals: Record<Unreadable | 'other', Text> = {
  other: { en: 'is no PDF', fr: 'n’est pas un PDF' },
  damaged: { en: 'is damaged and cannot be read', fr: 'est abîmé et ne peut pas être lu' },
  password: { en: 'is protected by a password', fr: 'est protégé par un mot de passe' },
  picture: {
    en: 'is a picture without text, as scanners make',
    fr: 'est une image sans texte, comme en font les scanners',
  },
  no_date: { en: 'has no months or dates that can be read', fr: 'n’a ni mois ni dates lisibles' },
  no_mark: {
    en: 'has days that can be read, but no mark of a collection that its legend explains',
    fr: 'a des jours lisibles, mais aucune marque de collecte que sa légende explique',
  },
  no_name: {
    en: 'has dates, but does not say of which collections',
    fr: 'a des dates, mais ne dit pas de quelles collectes',
  },
  too_much: {
    en: 'has too much to read: send the pages of the calendar alone',
    fr: 'est trop long à lire : envoyez seulement les pages du calendrier',
  },
}
