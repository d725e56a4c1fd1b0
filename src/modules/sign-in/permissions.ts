import type { Rule } from '../../platform/access/rules.ts'

export const signInRules = {
  showFactor: {
    name: 'session.show_factor',
    allows: 'show a second factor',
    over: 'session',
    who: ['second_factor'],
  },
  confirm: {
    name: 'session.confirm',
    allows: 'confirm that it is still the same person',
    over: 'session',
    who: ['signed_in', 'enrolment'],
  },
  addFactor: {
    name: 'factor.add',
    allows: 'see and set up second factors of their own',
    over: 'own',
    who: ['signed_in', 'enrolment'],
  },
} satisfies Record<string, Rule>
