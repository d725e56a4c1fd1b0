import type { Rule } from '../../platform/access/rules.ts'

export const collecteRules = {
  import: {
    name: 'collectes.import',
    allows:
      'replace the waste collections of a mairie’s commune, or of the members of a group, from a file, and undo that',
    over: 'mairie',
    who: ['administrator', 'owner', 'manage_commune'],
    except: 'inactive',
    scope: 'commune.write',
  },
} satisfies Record<string, Rule>
