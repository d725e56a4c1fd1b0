import { sql } from 'kysely'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { Deps } from '../../platform/module.ts'
import { registerHiding } from '../groups/hiding.ts'
import { announceShownAgain, lockBroadcasts } from '../subscribers/broadcasts/announce.ts'
import { queueMails } from './hiding-mails.ts'
import { isFor, speakingGroups } from './queries.ts'
import { alerte } from './record.ts'
import { type AlerteFields, alerteFields, ByCommune, OfCommune, provisional } from './schema.ts'

const { commune_id, acteur_id, ...fields } = alerteFields
type GroupAlerte = Omit<AlerteFields, 'commune_id' | 'acteur_id'> & { hidden_at: Date | null }

/** What groups alert for a commune, which its mairie may hide there. */
export const alertesOfGroupsRoutes = (scope: SignedInScope, deps: Deps): void =>
  registerHiding<GroupAlerte>(scope, deps, {
    kind: alerte,
    table: 'alertes',
    as: 'al',
    path: '/mairie/communes/:communeId/group-alertes',
    key: 'id',
    params: { list: ByCommune, one: OfCommune },
    schema: provisional,
    shown: {
      title: 'GroupAlerte',
      fields,
      columns: sql`al.id, al.titre, al.message, al.niveau, al.debut, al.fin, al.created_at`,
    },
    time: 'created_at',
    isListed: (communeId) => sql<boolean>`(
      coalesce(a.active and a.deleted_at is null, true) and al.id in (
        select al.id from alertes al where al.acteur_id = any(array(${speakingGroups(communeId)})) and ${isFor(communeId)}
        union select h.alerte_id from alerte_hidings h where h.commune_id = ${communeId}))`,
    list: {
      operationId: 'listGroupAlertesOfMairie',
      summary:
        'Alerts of groups for a commune, in force or not, newest first, also those that the commune hides',
    },
    hide: {
      operationId: 'hideGroupAlerte',
      summary:
        'Hide an alert of a group on the pages of a commune, and send no more of it to its residents; others show it',
      async effect(tx, { jobs }, caller, { row, communeId }) {
        await lockBroadcasts(tx, row.id)
        await queueMails(tx, { jobs }, caller, { alerteId: row.id, communeId })
      },
    },
    show: {
      operationId: 'showGroupAlerte',
      summary:
        'Show an alert of a group again in a commune that hides it, and send it to its residents who did not get it',
      // A mail to the group that is not sent yet goes with the hiding.
      effect: (tx, { jobs, clock }, _caller, { row }) => announceShownAgain(tx, { jobs }, row, clock()),
    },
  })
