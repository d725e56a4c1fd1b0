import Type, { type Static } from 'typebox'
import { adminPerPage, pagingQuery, publicPerPage } from '../../platform/http/paging.ts'
import {
  AnsweredTimestamp,
  filledLine,
  filledText,
  Id,
  nullable,
  oneOf,
  Timestamp,
} from '../../platform/http/schemas.ts'

const niveaux = ['info', 'attention', 'urgence'] as const

export const ByCommune = Type.Object({ communeId: Id('Identifier of the commune') })
export const ByActeur = Type.Object({ acteurId: Id('Identifier of the mairie acteur') })
export const AlertesQuery = Type.Object(pagingQuery(adminPerPage))
export type AlertesQuery = Static<typeof AlertesQuery>
export const InForceQuery = Type.Object(pagingQuery(publicPerPage))

/** For the schema of each route. */
export const provisional = {
  description: 'Provisional: this may still change without notice.',
  'x-provisional': true,
}

const Niveau = oneOf(niveaux, 'How much it matters')
const debut = 'From when it holds; null: at once'
const fin = 'Until when it holds; null: until further notice'

export const AlerteCreate = Type.Object(
  {
    titre: filledLine(200, { examples: ['Coupure d’eau rue du Puits'] }),
    message: filledText(2_000, {
      description: 'Plain text',
      examples: ['L’eau est coupée jeudi de 8 h à midi, du 2 au 40. Pensez à remplir une carafe.'],
    }),
    niveau: Niveau,
    debut: Type.Optional(nullable(Timestamp(debut))),
    fin: Type.Optional(nullable(Timestamp(`${fin}. After debut, and still to come`))),
  },
  { additionalProperties: false },
)
export type AlerteCreate = Static<typeof AlerteCreate>

export const Alerte = Type.Object(
  {
    id: Id(),
    commune_id: nullable(Id('The commune it was made for')),
    acteur_id: nullable(Id('The mairie acteur it was made for')),
    titre: Type.String({ examples: ['Coupure d’eau rue du Puits'] }),
    message: Type.String({ examples: ['L’eau est coupée jeudi de 8 h à midi, du 2 au 40.'] }),
    niveau: Niveau,
    debut: nullable(AnsweredTimestamp(debut)),
    fin: nullable(AnsweredTimestamp(fin)),
    created_at: AnsweredTimestamp(),
  },
  { title: 'Alerte' },
)
export type Alerte = Static<typeof Alerte>
