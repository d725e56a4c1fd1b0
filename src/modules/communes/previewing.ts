import Type, { type Static } from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { invalid, validationFailed } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import {
  DateOnly,
  Id,
  nullable,
  oneOf,
  record,
  strictObject,
  titled,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { daysLater } from '../../platform/time/days.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { type CollecteSchedule, calendarBetween, etats, withNextDates } from './calendar.ts'
import { CollecteBody } from './editing/schema.ts'
import { repeatedExceptions } from './editing/sub-lists.ts'
import { communeRules } from './permissions.ts'
import { findDepartement } from './queries.ts'
import { ByCommune, Collecte } from './schema.ts'

const { id: _, ...saved } = CollecteBody.properties

/** Most days that one preview shows. */
const maxDays = 366

/** A collecte as typed so far: each field is validated as when it is saved, and those still empty are left out. */
const PreviewBody = strictObject({
  ...Type.Partial(Type.Object(saved)).properties,
  commune_id: Type.Optional(
    Id('The commune, for the public holidays of its département. Default: those of all of France'),
  ),
  du: Type.Optional(DateOnly('First day of the calendar. Default: today (Europe/Paris)')),
  au: Type.Optional(
    DateOnly(`Last day of the calendar, at most ${maxDays} days. Default: three months later`),
  ),
})
type PreviewBody = Static<typeof PreviewBody>

const CollectePreview = titled('CollectePreview', {
  prochaines: Collecte.properties.prochaines,
  passages: Collecte.properties.passages,
  jours: Type.Array(
    Type.Object({
      date: DateOnly(),
      etat: oneOf(
        etats,
        '`passage`: collected as scheduled; `reportee_ici`: an exception moves a collection here; `reportee`, `supprimee`: an exception moves or drops its collection',
      ),
      reportee_au: nullable(DateOnly('Where its collection is moved')),
      jour_ferie: Type.Boolean({ description: 'As in `passages`', examples: [false] }),
    }),
    { description: 'The days from `du` to `au` with a collection or an exception' },
  ),
  sans_effet: Type.Array(DateOnly(), {
    description: 'Exceptions on days without a collection: the calendar ignores them',
    examples: [[]],
  }),
})
type CollectePreview = Static<typeof CollectePreview>

export function previewingRoutes(scope: SignedInScope, { reads, clock }: Deps) {
  scope.post(
    '/admin/communes/collectes/preview',
    {
      schema: {
        operationId: 'previewCollecte',
        summary: 'Next dates of a collecte that is not saved yet',
        body: PreviewBody,
        response: { 200: record(CollectePreview) },
      },
    },
    async ({ body }) => ({ data: await previewCollecte(reads, body, todayInParis(clock())) }),
  )
}

const { commune_id: _ofPath, ...unsavedCollecte } = PreviewBody.properties

/** The preview for the mairie of the commune in the path. */
export function previewingOfMairieRoutes(scope: SignedInScope, { reads, clock }: Deps) {
  scope.post(
    '/mairie/communes/:communeId/collectes/preview',
    {
      config: { needs: communeRules.editForMairie.name },
      schema: {
        operationId: 'previewCollecteOfMairie',
        summary: 'Next dates of a collecte that is not saved yet, by the public holidays of the commune',
        params: ByCommune,
        body: strictObject(unsavedCollecte),
        response: { 200: record(CollectePreview) },
      },
    },
    async ({ params: { communeId }, body }) => ({
      data: await previewCollecte(reads, { ...body, commune_id: communeId }, todayInParis(clock())),
    }),
  )
}

const defaultDays = 92

/** Returns the dates that the public will see once the collecte is saved. */
async function previewCollecte(
  db: Database,
  { commune_id, du, au, ...typed }: PreviewBody,
  today: string,
): Promise<CollectePreview> {
  const schedule: CollecteSchedule = {
    jours: typed.jours ?? [],
    toutes_les_semaines: typed.toutes_les_semaines ?? 1,
    rang: typed.rang ?? null,
    a_partir_du: typed.a_partir_du ?? null,
    dates: typed.dates ?? [],
    exceptions: typed.exceptions ?? [],
  }
  refuseUncountedWeeks(schedule)
  refuseVagueMonths(schedule)
  const repeated = repeatedExceptions(typed, 'exceptions')
  if (repeated.length > 0) throw validationFailed(repeated)
  const from = du ?? today
  const to = au ?? daysLater(from, defaultDays - 1)
  if (to < from || to > daysLater(from, maxDays - 1))
    throw invalid('au', {
      en: `must be at most ${maxDays} days from the first day, and not before it`,
      fr: `doit être à ${maxDays} jours au plus du premier jour, et pas avant lui`,
    })
  const departement = commune_id === undefined ? '' : await findDepartement(db, commune_id)
  if (departement === null)
    throw invalid('commune_id', {
      en: 'must be an existing commune',
      fr: 'doit être une commune qui existe',
    })
  const { prochaines, passages } = withNextDates(schedule, today, departement)
  const { days, useless } = calendarBetween(schedule, { from, to, departement })
  return { prochaines, passages, jours: days, sans_effet: useless }
}

/** Refuses what the constraint `collectes_anchor` refuses when it is saved. */
function refuseUncountedWeeks({ jours, toutes_les_semaines: every, a_partir_du }: CollecteSchedule): void {
  if (every === 1 || jours.length === 0 || a_partir_du !== null) return
  throw invalid('a_partir_du', {
    en: 'is required unless the collecte is weekly',
    fr: 'est obligatoire si la collecte n’est pas hebdomadaire',
  })
}

/** Refuses what the constraint `collectes_rang_weekday` refuses when it is saved. */
function refuseVagueMonths({ jours, toutes_les_semaines: every, rang }: CollecteSchedule): void {
  if (rang === null || (jours.length === 1 && every === 1)) return
  throw invalid('rang', {
    en: 'needs one weekday, and weeks that are not counted',
    fr: 'demande un seul jour de la semaine, sans compter les semaines',
  })
}
