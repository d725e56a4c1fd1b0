import type { Rule } from '../../platform/access/rules.ts'

export const actRules = {
  publish: {
    name: 'act.publish',
    allows: 'prepare, publish and archive the acts of a mairie or an intercommunalité',
    over: 'mairie',
    who: ['administrator', 'owner', 'publish_acts'],
    except: 'inactive',
  },
} satisfies Record<string, Rule>
