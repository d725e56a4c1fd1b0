import type { Rule } from '../../platform/access/rules.ts'

export const webhookRules = {
  manage: {
    name: 'webhook.manage',
    allows: 'see and change which programs hear about the records of an acteur',
    over: 'acteur',
    who: ['administrator', 'owner'],
  },
} satisfies Record<string, Rule>
