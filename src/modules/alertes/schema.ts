import Type, { type Static } from 'typebox'
import { always } from '../../platform/access/rules.ts'
import {
  adminPerPage,
  idsQuery,
  listQuery,
  pagingQuery,
  publicPerPage,
  several,
  sortQuery,
} from '../../platform/http/listing/paging.ts'
import {
  Can,
  filledLine,
  filledText,
  Id,
  NullableUserName,
  named,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  Timestamp,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { CommuneHiding } from '../communes/schema.ts'
import { maxMembers } from '../groups/schema.ts'

const niveaux = ['info', 'attention', 'urgence'] as const

const communeId = Id('Identifier of the commune')
const acteurId = Id('Identifier of the mairie acteur, or of the acteur of a group of communes')
const id = Id('Identifier of the alert')
export const ByCommune = Type.Object({ communeId })
export const ByActeur = Type.Object({ acteurId })
export const OfCommune = Type.Object({ communeId, id })
export const OfActeur = Type.Object({ acteurId, id })
export const ById = Type.Object({ id })
export const AlertesQuery = Type.Object(pagingQuery(adminPerPage))
export type AlertesQuery = Static<typeof AlertesQuery>
export const InForceQuery = Type.Object(pagingQuery(publicPerPage))

/** Marks a route as provisional; spread into its schema. */
export const provisional = {
  description: 'Provisional: this may still change without notice.',
  'x-provisional': true,
}

const Niveau = oneOf(niveaux, 'How serious it is')

export const AlertesAdminQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['created_at'], 'created_at_desc'),
  ids: idsQuery,
  commune_id: Type.Optional(
    Id('Alerts that concern this commune: its own, those of its mairie and those of its groups'),
  ),
  group_id: Type.Optional(Id('Alerts of the acteur of this group')),
  niveau: several(Niveau, 'Of one of these levels, separated by commas'),
  en_cours: several(Type.Boolean(), 'In force now, or not'),
})
export type AlertesAdminQuery = Static<typeof AlertesAdminQuery>

const debut = 'Start of the alert; null: at once'
const fin = 'End of the alert; null: until further notice'

const titre = filledLine(200, { examples: ['Coupure d’eau rue du Puits'] })
const message = filledText(2_000, {
  description: 'Plain text',
  examples: ['L’eau est coupée jeudi de 8 h à midi, du 2 au 40. Pensez à remplir une carafe.'],
})

export const AlerteCreate = strictObject({
  titre,
  message,
  niveau: oneOf(
    niveaux,
    'How serious it is. The first message of an `urgence` leaves at once, others 10 s later: until then, a deletion takes it back',
  ),
  debut: Type.Optional(nullable(Timestamp(debut))),
  fin: Type.Optional(nullable(Timestamp(`${fin}. Must be after debut and in the future`))),
})

const commune_ids = Type.Array(Id(), {
  maxItems: maxMembers,
  description:
    'For which of the communes of the acteur it is: of a mairie, or the members of its groups. Empty: all, also later members',
})

/** An alert of an acteur may be for some of its communes. */
export const AlerteOfActeurCreate = strictObject({
  ...AlerteCreate.properties,
  commune_ids: Type.Optional(commune_ids),
})
export type AlerteOfActeurCreate = Static<typeof AlerteOfActeurCreate>

export const AlerteUpdate = strictObject({
  titre: Type.Optional(titre),
  message: Type.Optional(message),
  niveau: Type.Optional(Niveau),
  debut: Type.Optional(nullable(Timestamp(debut))),
  fin: Type.Optional(
    nullable(Timestamp(`${fin}. Must be after debut; a time that has passed ends the alert at once`)),
  ),
  prevenir: Type.Optional(
    Type.Boolean({
      description:
        'Tell subscribers who were told of it that the alert has ended, once for each end. Needs a fin that has passed; one that is up to a minute ahead becomes the present time',
      examples: [false],
    }),
  ),
  notify: Type.Optional(
    Type.Boolean({
      description:
        'Tell subscribers who were told of it what it says now, marked as a correction, once for each change. Needs an alert that goes on',
      examples: [false],
    }),
  ),
})

export const AlerteOfActeurUpdate = strictObject({
  ...AlerteUpdate.properties,
  commune_ids: Type.Optional(commune_ids),
})
export type AlerteOfActeurUpdate = Static<typeof AlerteOfActeurUpdate>

/** The fields of an alert that say the same wherever it is shown. */
export const alerteFields = {
  id: Id(),
  commune_id: nullable(Id('The commune it was made for')),
  acteur_id: nullable(Id('The mairie acteur, or the acteur of a group, it was made for')),
  titre: Type.String({ examples: ['Coupure d’eau rue du Puits'] }),
  message: Type.String({ examples: ['L’eau est coupée jeudi de 8 h à midi, du 2 au 40.'] }),
  niveau: Niveau,
  debut: nullable(ResponseTimestamp(debut)),
  fin: nullable(ResponseTimestamp(fin)),
  created_at: ResponseTimestamp(),
}
export type AlerteFields = Static<ReturnType<typeof Type.Object<typeof alerteFields>>>

/** An alert as a commune shows it. */
export const Alerte = titled('Alerte', {
  ...alerteFields,
  commune_ids,
  group: nullable(
    titled(
      'GroupOfAlerte',
      {
        id: Id(),
        slug: Type.String({ examples: ['ca-du-grand-chambery'] }),
        nom: Type.String({ examples: ['CA du Grand Chambéry'] }),
      },
      'The group of the commune whose acteur alerts; null: the commune or its mairie does',
    ),
  ),
})
export type Alerte = Static<typeof Alerte>

/** An alert as it is stored. */
export const StoredAlerte = Type.Object({
  ...alerteFields,
  commune_ids,
  version: Type.Integer({ examples: [1] }),
  updated_at: ResponseTimestamp(),
})
export type StoredAlerte = Static<typeof StoredAlerte>

const Named = named('Named', 'Évry-le-Neuf')

/** Actions on an alert; it can be edited and deleted even after its end. */
export const alerteActions = { edit: always, delete: always }

/** An alert as its mairie or its group sees it. */
export const ManagedAlerte = titled('ManagedAlerte', {
  ...StoredAlerte.properties,
  can: Can(alerteActions),
})

const hidden_in = Type.Array(CommuneHiding, {
  description: 'The communes whose mairie hides an alert of a group; others show it',
})

/** An alert as its mairie or its group reads it. */
export const ReadAlerte = titled('ReadAlerte', { ...ManagedAlerte.properties, hidden_in })
/** A read alert as returned by the query, before `can` is added. */
export type ReadAlerte = Omit<Static<typeof ReadAlerte>, 'can'>

/** An alert as administrators see it. */
export const ListedAlerte = titled('ListedAlerte', {
  ...ReadAlerte.properties,
  en_cours: Type.Boolean({ description: 'Whether it is in force now', examples: [true] }),
  commune: nullable(Named),
  acteur: nullable(Named),
  created_by: nullable(Id('Who wrote it')),
  created_by_user: NullableUserName,
})
/** A listed alert as returned by the query, before `can` is added. */
export type ListedAlerte = Omit<Static<typeof ListedAlerte>, 'can'>
