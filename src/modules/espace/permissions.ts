import type { Rule } from '../../platform/access/rules.ts'

export const espaceRules = {
  read: {
    name: 'acteur.read',
    allows: 'read the page of an acteur in every state, with its numbers',
    over: 'acteur',
    who: ['administrator', 'member'],
    scope: 'acteur.read',
  },
  edit: {
    name: 'acteur.edit',
    allows: 'change the contact, the description and the opening hours of an acteur',
    over: 'acteur',
    who: ['administrator', 'owner', 'manage_page'],
    scope: 'acteur.write',
  },
  team: {
    name: 'acteur.manage_team',
    allows: 'see, invite and change the members of an acteur',
    over: 'acteur',
    who: ['administrator', 'owner'],
  },
  removeMember: {
    name: 'acteur.remove_member',
    allows: 'remove a member; each member may leave',
    over: 'acteur',
    who: ['administrator', 'owner', 'author'],
  },
} satisfies Record<string, Rule>
