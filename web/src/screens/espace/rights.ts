import type { Me } from '../../api/queries.ts'

export type OwnActeur = Me['acteurs'][number]

/** Whether the user has one of these permissions for the acteur; owners have all. */
const has = ({ role, permissions }: OwnActeur, ...names: OwnActeur['permissions']) =>
  role === 'owner' || names.some((name) => permissions.includes(name))

export const isMairie = ({ mairie_of }: OwnActeur) => mairie_of.length > 0
/** Whether it publishes for a group of communes. */
export const isOfGroup = ({ groups }: OwnActeur) => groups.length > 0
/** Whether it is a mairie, or the acteur of a group of communes: it alerts and publishes acts. */
export const isPublicBody = (acteur: OwnActeur) => isMairie(acteur) || isOfGroup(acteur)
/** Whether its texts are for a mairie or for a group. */
export const bodyOf = (acteur: OwnActeur) => (isOfGroup(acteur) ? 'group' : 'mairie')
/** Whether it is a mairie, or of a group, and the team has deactivated it: it reads, and does nothing for its communes. */
export const isInactiveBody = (acteur: OwnActeur) => isPublicBody(acteur) && !acteur.active
const isActiveMairie = (acteur: OwnActeur) => isMairie(acteur) && acteur.active

export const mayWrite = (acteur: OwnActeur) => has(acteur, 'manage_publications')
/** Whether the public sees the acteur: until the team validates it, and while it is inactive, nothing can be published for it. */
export const isShown = ({ active, valide }: OwnActeur) => active && valide
export const mayPublish = (acteur: OwnActeur) => mayWrite(acteur) && isShown(acteur)
export const mayPin = (acteur: OwnActeur) => has(acteur, 'publish_publications')
export const maySupervise = (acteur: OwnActeur) => isMairie(acteur) && has(acteur, 'publish_publications')
/** Whether the user may write and change alertes of a mairie and its communes, or of a group; all members may read them. */
export const mayAlert = (acteur: OwnActeur) =>
  isPublicBody(acteur) && acteur.active && has(acteur, 'manage_commune', 'publish_publications')
/** Whether the user may prepare and publish acts; all members may read them. */
export const mayPublishActs = (acteur: OwnActeur) =>
  isPublicBody(acteur) && acteur.active && has(acteur, 'publish_acts')
export const mayEditPage = (acteur: OwnActeur) => has(acteur, 'manage_page')
export const mayEditCommune = (acteur: OwnActeur) => isActiveMairie(acteur) && has(acteur, 'manage_commune')
/** Whether the user may set the collections of a mairie's communes, or of all communes of a group, from a file. */
export const mayImportCollectes = (acteur: OwnActeur) =>
  isPublicBody(acteur) && acteur.active && has(acteur, 'manage_commune')
export const mayManageTeam = ({ role }: OwnActeur) => role === 'owner'
