import type { Sentences } from './sentence.ts'

/** Actions on accounts, sessions, people and settings. */
export const accountSentences = {
  'user.create': { fr: 'a créé le compte[ de {name}]', en: 'created the account[ of {name}]' },
  'user.invite': { fr: 'a invité[ {name}] dans le back-office', en: 'invited[ {name}] to the back-office' },
  'user.bind': {
    fr: 'a relié le compte[ de {name}] à une identité',
    en: 'bound the account[ of {name}] to an identity',
  },
  'user.update': {
    fr: 'a modifié le compte[ de {name}]',
    en: 'edited the account[ of {name}]',
    cases: {
      field: 'actif',
      is: {
        true: { fr: 'a réactivé le compte[ de {name}]', en: 'enabled the account[ of {name}]' },
        false: { fr: 'a désactivé le compte[ de {name}]', en: 'disabled the account[ of {name}]' },
      },
    },
  },
  'user.address': {
    fr: 'a changé l’adresse du compte[ de {name}]',
    en: 'changed the address of the account[ of {name}]',
  },
  'user.role_add': {
    fr: 'a attribué un rôle au compte[ de {name}][ : {roles}]',
    en: 'granted a role to the account[ of {name}][: {roles}]',
  },
  'user.role_remove': {
    fr: 'a retiré un rôle au compte[ de {name}][ : {roles}]',
    en: 'removed a role from the account[ of {name}][: {roles}]',
  },
  'user.lapse': {
    fr: 'a laissé s’éteindre les droits du compte[ de {name}]',
    en: 'let the rights of the account[ of {name}] lapse',
  },
  'user.factor_add': {
    fr: 'a ajouté un second facteur au compte[ de {name}]',
    en: 'added a second factor to the account[ of {name}]',
  },
  'user.factor_remove': {
    fr: 'a retiré un second facteur du compte[ de {name}]',
    en: 'removed a second factor from the account[ of {name}]',
  },
  'user.factors_reset': {
    fr: 'a retiré tous les seconds facteurs du compte[ de {name}]',
    en: 'removed all second factors of the account[ of {name}]',
  },
  'user.sign_in_link': {
    fr: 'a créé un lien de connexion pour le compte[ de {name}]',
    en: 'created a sign-in link for the account[ of {name}]',
  },
  'session.create': { fr: 'a ouvert une session', en: 'signed in' },
  'session.second_factor': { fr: 'a montré son second facteur', en: 'showed the second factor' },
  'session.confirm': { fr: 'a confirmé son identité', en: 'confirmed who they are' },
  'session.refuse': { fr: 'n’a pas pu ouvrir de session', en: 'was refused when signing in' },
  'session.end': {
    fr: 'a fermé une session[ de {name}]',
    en: 'ended a session[ of {name}]',
    cases: {
      field: 'reason',
      is: {
        signed_out: { fr: 'a fermé sa session', en: 'signed out' },
        too_many_failures: {
          fr: 'a perdu sa session après trop d’échecs',
          en: 'lost the session after too many failures',
        },
      },
    },
  },
  'person.export': {
    fr: 'a exporté les données d’une personne',
    en: 'exported the data of a person',
  },
  'person.download': {
    fr: 'a téléchargé l’export d’une personne',
    en: 'downloaded the export of a person',
  },
  'person.erase': {
    fr: 'a effacé les données d’une personne',
    en: 'erased the data of a person',
  },
  'export.create': { fr: 'a exporté une liste[ : {list}]', en: 'exported a list[: {list}]' },
  'app_source.create': {
    fr: 'a ajouté l’application[ {name}]',
    en: 'added the application[ {name}]',
  },
  'app_source.update': {
    fr: 'a modifié l’application[ {name}]',
    en: 'edited the application[ {name}]',
  },
  'app_source.set': {
    fr: 'a réglé l’application[ {name}]',
    en: 'configured the application[ {name}]',
  },
} satisfies Sentences
