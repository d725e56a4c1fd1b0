import type { Rule } from '../../platform/access/rules.ts'

export const alerteRules = {
  manage: {
    name: 'alerte.manage',
    allows: 'write, correct and delete alerts of a mairie and its commune, or for the members of a group',
    over: 'mairie',
    who: ['administrator', 'owner', 'manage_commune', 'publish_publications'],
    except: 'inactive',
    scope: 'alerte.write',
  },
} satisfies Record<string, Rule>
