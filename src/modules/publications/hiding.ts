import { sql } from 'kysely'
import Type from 'typebox'
import { allOf } from '../../platform/database/conditions.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { DateOnly, Id, nullable, ResponseTimestamp } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { registerHiding } from '../groups/hiding.ts'
import { dropMailsOfHiding, queueMails } from './notify.ts'
import { publication } from './record.ts'
import { visible } from './visibility.ts'

const ByCommune = Type.Object({ communeId: Id('Identifier of the commune') })
const ByCommuneAndId = Type.Object({
  ...ByCommune.properties,
  publicationId: Id('Identifier of the publication'),
})
type GroupPublication = { id: string; hidden_at: Date | null }

/** What groups publish for a commune and the public sees, which its mairie may hide there. */
export const hidingRoutes = (scope: SignedInScope, deps: Deps): void =>
  registerHiding<GroupPublication>(scope, deps, {
    kind: publication,
    table: 'publications',
    as: 'p',
    path: '/mairie/communes/:communeId/group-publications',
    key: 'publicationId',
    params: { list: ByCommune, one: ByCommuneAndId },
    shown: {
      title: 'GroupPublication',
      fields: {
        id: Id(),
        slug: Type.String({ examples: ['collecte-reportee'] }),
        titre: Type.String({ examples: ['Collecte reportée'] }),
        publie_le: ResponseTimestamp(),
        date_debut: nullable(DateOnly('Of an event')),
      },
      columns: sql`p.id, p.slug, p.title as titre, p.publie_le, p.date_debut`,
    },
    time: 'publie_le',
    isListed: (communeId) =>
      allOf(
        visible,
        sql`p.id in (
          select place.publication_id from publication_places place
          join publications placed on placed.id = place.publication_id
          where place.commune_id = ${communeId} and placed.acteur_id = any(array(
            select g.acteur_id from groups g where g.acteur_id is not null))
          union select h.publication_id from publication_hidings h where h.commune_id = ${communeId})`,
      ),
    isOne: (communeId) =>
      allOf(
        visible,
        sql`(
          exists (select from publication_hidings h where h.publication_id = p.id and h.commune_id = ${communeId})
          or exists (select from groups g where g.acteur_id = p.acteur_id) and exists (
            select from publication_places place where place.publication_id = p.id and place.commune_id = ${communeId}))`,
      ),
    list: {
      operationId: 'listGroupPublicationsOfMairie',
      summary:
        'What groups publish for a commune and the public sees, newest first, also what the commune hides',
    },
    hide: {
      operationId: 'hideGroupPublication',
      summary: 'Hide what a group publishes on the pages and in the lists of a commune; others show it',
      effect: (tx, { jobs }, caller, { row, communeId }) =>
        queueMails(tx, { jobs }, caller, {
          ...{ kind: 'hidden_in_commune', decisionId: null, publicationIds: [row.id], communeId },
        }),
    },
    show: {
      operationId: 'showGroupPublication',
      summary: 'Show again what a group publishes in a commune that hides it',
      effect: (tx, _deps, _caller, { row, communeId }) => dropMailsOfHiding(tx, row.id, communeId),
    },
  })
