import type { Rule } from '../../platform/access/rules.ts'

export const communeRules = {
  editForMairie: {
    name: 'commune.edit_for_mairie',
    allows: 'change the practical information, the collections and the élus of the commune of the path',
    over: 'mairie',
    who: ['administrator', 'owner', 'manage_commune'],
    except: 'inactive',
    scope: 'commune.write',
  },
} satisfies Record<string, Rule>
