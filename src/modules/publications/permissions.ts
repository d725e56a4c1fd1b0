import { opens } from '../../platform/access/areas.ts'
import type { User } from '../../platform/access/caller.ts'
import { isMember, type Right, type Rule, rightOver } from '../../platform/access/rules.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isActeurDeleted } from './queries.ts'

const whoManages = ['administrator', 'owner', 'manage_publications'] as const

export const publicationRules = {
  listOwn: {
    name: 'publication.list_own',
    allows: 'list what their acteurs have published',
    over: 'own',
    who: ['signed_in'],
    scope: 'publication.read',
  },
  read: {
    name: 'publication.read',
    allows: 'read a publication in every state',
    over: 'acteur',
    who: ['member'],
    scope: 'publication.read',
  },
  create: {
    name: 'publication.create',
    allows: 'publish in the name of an acteur',
    over: 'acteur',
    who: whoManages,
    scope: 'publication.write',
  },
  edit: {
    name: 'publication.edit',
    allows: 'change the content',
    over: 'acteur',
    who: whoManages,
    scope: 'publication.write',
  },
  pin: {
    name: 'publication.pin',
    allows: 'pin',
    over: 'acteur',
    who: ['administrator', 'owner', 'publish_publications'],
    scope: 'publication.write',
  },
  delete: {
    name: 'publication.delete',
    allows: 'delete a publication',
    over: 'acteur',
    who: whoManages,
    scope: 'publication.write',
  },
  moderate: {
    name: 'publication.moderate',
    allows: 'decide on a publication, as a moderator or for a mairie',
    over: 'supervised',
    who: ['colleague', 'owner', 'publish_publications'],
    scope: 'publication.moderate',
  },
  moderateForMairie: {
    name: 'publication.moderate_for_mairie',
    allows: 'decide on a publication for the mairie of the path',
    over: 'supervised',
    who: ['administrator', 'owner', 'publish_publications'],
    scope: 'publication.moderate',
  },
} satisfies Record<string, Rule>

/** Returns a user's right over a publication; over one of a deleted acteur only administrators have any. */
export async function rightOverPublication(
  db: Database,
  user: User,
  { acteur_id }: { acteur_id: string | null },
  rules: readonly Rule[],
): Promise<Right> {
  const [right, ofNobodys] = [rightOver(user, acteur_id, rules), rightOver(user, null, rules)]
  if (right === 'foreign' || acteur_id === null || ofNobodys === 'allowed') return right
  return (await isActeurDeleted(db, acteur_id)) ? 'foreign' : right
}

/** Hides the moderation reason from callers who are neither members of the acteur nor moderators. */
export function withReasonFor<Row extends { acteur_id: string | null; moderation_reason: string | null }>(
  user: User,
  row: Row,
): Row {
  const mayRead =
    opens(user.roles, 'publications') || (row.acteur_id !== null && isMember(user, row.acteur_id))
  return mayRead ? row : { ...row, moderation_reason: null }
}
