import Type, { type Static } from 'typebox'
import { roles } from '../../platform/access/areas.ts'
import { memberRoles, permissions } from '../../platform/access/caller.ts'
import {
  EmailVerified,
  Id,
  MailDelivery,
  MailsDelayed,
  nullable,
  oneOf,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { acteurTypes, communeOfActeur, communesOfMairie, groupsOfActeur } from '../acteurs/schema.ts'
import { Digest } from '../digest/schema.ts'
import { CanForActeur, Invitation } from '../espace/schema.ts'

const MyActeur = titled('MyActeur', {
  acteur_id: Id(),
  nom: Type.String({ examples: ['Mairie de Chambéry'] }),
  slug: Type.String({ examples: ['mairie-de-chambery'] }),
  type: oneOf(acteurTypes),
  role: oneOf(memberRoles, 'An owner may do all; an editor what its permissions say'),
  permissions: Type.Array(oneOf(permissions), { examples: [['manage_publications']] }),
  can_publish: Type.Boolean({
    description: 'Whether it publishes without moderation',
    examples: [true],
  }),
  valide: Type.Boolean({ examples: [true] }),
  active: Type.Boolean({ description: 'While inactive, nothing of it is public', examples: [true] }),
  commune: communeOfActeur,
  mairie_of: communesOfMairie,
  groups: groupsOfActeur,
  can: CanForActeur,
})

export const AcceptanceMails = Type.Boolean({
  description: 'Whether they get a mail when a publication of theirs is accepted, at a verified address',
  examples: [true],
})

export const Me = titled('Me', {
  id: Id(),
  email: textOrNull('zoe@example.org'),
  email_verified: EmailVerified,
  nom: textOrNull('Zoé Lambert'),
  langue: oneOf(['fr', 'en'], 'Of mails to them'),
  digest: Digest,
  acceptance_mails: AcceptanceMails,
  mail: MailDelivery,
  mails_delayed: MailsDelayed,
  outbox: nullable(
    Type.String({
      description:
        'Folder of the mails that are written as files, for those who may open `system`, on the embedded database',
      examples: ['/srv/parvis/.data/outbox'],
    }),
  ),
  roles: Type.Array(oneOf(roles), { examples: [['moderator']] }),
  areas: Type.Array(Type.String(), {
    description: 'The parts of the back-office that their roles open',
    examples: [['claims', 'dashboard', 'publications']],
  }),
  acteurs: Type.Array(MyActeur, { description: 'Acteurs the user is a member of, without deleted ones' }),
  invitations: Type.Array(Invitation, {
    description: 'Open invitations of their address to teams of acteurs, once it is verified',
  }),
})
export type Me = Static<typeof Me>
