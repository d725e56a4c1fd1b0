import type { Rule } from '../../platform/access/rules.ts'

export const decisionRules = {
  undo: {
    name: 'decision.undo',
    allows: 'undo a decision',
    over: 'own',
    who: ['administrator', 'author'],
  },
  listAll: {
    name: 'decision.list_all',
    allows: 'list the decisions of everybody',
    over: 'area',
    who: ['administrator'],
  },
} satisfies Record<string, Rule>
