import type { Rule } from '../../platform/access/rules.ts'

export const complaintRules = {
  decide: {
    name: 'complaint.decide',
    allows: 'decide a complaint about what somebody else decided',
    over: 'area',
    who: ['colleague'],
    except: 'own',
  },
} satisfies Record<string, Rule>
