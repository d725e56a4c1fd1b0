import Type, { type Static } from 'typebox'
import { DateOnly, Id, nullable, oneOf } from '../../../platform/http/validation/schemas.ts'
import { etats } from '../calendar.ts'
import { CollecteBody } from '../editing/schema.ts'
import { Collecte } from '../schema.ts'

const { id: _, ...saved } = CollecteBody.properties

/** Most days that one preview shows. */
export const mostDays = 366

/** A collecte as typed so far: each field is validated as when it is saved, and those still empty are left out. */
export const PreviewBody = Type.Object(
  {
    ...Type.Partial(Type.Object(saved)).properties,
    commune_id: Type.Optional(
      Id('The commune, for the public holidays of its département. Default: those of all of France'),
    ),
    du: Type.Optional(DateOnly('First day of the calendar. Default: today (Europe/Paris)')),
    au: Type.Optional(
      DateOnly(`Last day of the calendar, at most ${mostDays} days. Default: three months later`),
    ),
  },
  { additionalProperties: false },
)
export type PreviewBody = Static<typeof PreviewBody>

export const CollectePreview = Type.Object(
  {
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
  },
  { title: 'CollectePreview' },
)
export type CollectePreview = Static<typeof CollectePreview>
