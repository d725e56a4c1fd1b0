import Type, { type Static } from 'typebox'
import {
  DateOnly,
  Id,
  nullable,
  oneOf,
  strictObject,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { etats } from '../calendar.ts'
import { CollecteBody } from '../editing/schema.ts'
import { Collecte } from '../schema.ts'

const { id: _, ...saved } = CollecteBody.properties

/** Most days that one preview shows. */
export const maxDays = 366

/** A collecte as typed so far: each field is validated as when it is saved, and those still empty are left out. */
export const PreviewBody = strictObject({
  ...Type.Partial(Type.Object(saved)).properties,
  commune_id: Type.Optional(
    Id('The commune, for the public holidays of its département. Default: those of all of France'),
  ),
  du: Type.Optional(DateOnly('First day of the calendar. Default: today (Europe/Paris)')),
  au: Type.Optional(
    DateOnly(`Last day of the calendar, at most ${maxDays} days. Default: three months later`),
  ),
})
export type PreviewBody = Static<typeof PreviewBody>

export const CollectePreview = titled('CollectePreview', {
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
export type CollectePreview = Static<typeof CollectePreview>
