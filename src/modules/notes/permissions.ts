import type { Rule } from '../../platform/access/rules.ts'

export const noteRules = {
  delete: { name: 'note.delete', allows: 'delete a note', over: 'own', who: ['author'] },
} satisfies Record<string, Rule>
