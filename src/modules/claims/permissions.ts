import type { Rule } from '../../platform/access/rules.ts'

export const claimRules = {
  decide: { name: 'claim.decide', allows: 'decide a claim', over: 'area', who: ['colleague'], except: 'own' },
  decideOnMairie: {
    name: 'claim.decide_on_mairie',
    allows: 'decide a claim on a mairie',
    over: 'area',
    who: ['administrator'],
    except: 'own',
  },
  nameOwner: {
    name: 'claim.name_owner',
    allows: 'name an owner whose verified address is not that of the claim',
    over: 'area',
    who: ['administrator'],
    except: 'own',
  },
  question: {
    name: 'claim.question',
    allows: 'ask a claimant a question, and end the wait for its answer',
    over: 'area',
    who: ['colleague'],
    except: 'own',
  },
} satisfies Record<string, Rule>
