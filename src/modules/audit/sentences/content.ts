import type { Sentences } from './sentence.ts'

/** Actions on publications, alertes, acts, communes, defibrillators and imports. */
export const contentSentences = {
  'publication.create': {
    fr: 'a écrit la publication[ {name}]',
    en: 'wrote the publication[ {name}]',
  },
  'publication.update': {
    fr: 'a modifié la publication[ {name}]',
    en: 'edited the publication[ {name}]',
  },
  'publication.correct': {
    fr: 'a corrigé la publication[ {name}]',
    en: 'corrected the publication[ {name}]',
  },
  'publication.import': {
    fr: 'a importé la publication[ {name}]',
    en: 'imported the publication[ {name}]',
  },
  'publication.fetch_image': {
    fr: 'a repris l’image que nomme la publication[ {name}]',
    en: 'took over the picture that the publication[ {name}] names',
  },
  'publication.moderate': {
    fr: 'a changé l’état de la publication[ {name}]',
    en: 'changed the state of the publication[ {name}]',
    cases: {
      field: 'moderation_status',
      is: {
        approved: { fr: 'a accepté la publication[ {name}]', en: 'accepted the publication[ {name}]' },
        published: { fr: 'a publié la publication[ {name}]', en: 'published the publication[ {name}]' },
        rejected: { fr: 'a rejeté la publication[ {name}]', en: 'rejected the publication[ {name}]' },
        pending: {
          fr: 'a remis en attente la publication[ {name}]',
          en: 'set the publication[ {name}] back to pending',
        },
      },
    },
  },
  'publication.valide': {
    fr: 'a changé la validation de la publication[ {name}]',
    en: 'changed the validation of the publication[ {name}]',
    cases: {
      field: 'valide',
      is: {
        true: { fr: 'a validé la publication[ {name}]', en: 'validated the publication[ {name}]' },
        false: {
          fr: 'a retiré la validation de la publication[ {name}]',
          en: 'withdrew the validation of the publication[ {name}]',
        },
      },
    },
  },
  'publication.feature': {
    fr: 'a changé la mise en avant de la publication[ {name}]',
    en: 'changed whether the publication[ {name}] is featured',
    cases: {
      field: 'en_avant',
      is: {
        true: { fr: 'a mis en avant la publication[ {name}]', en: 'featured the publication[ {name}]' },
        false: {
          fr: 'ne met plus en avant la publication[ {name}]',
          en: 'no longer features the publication[ {name}]',
        },
      },
    },
  },
  'publication.hide_in_commune': {
    fr: 'a masqué dans sa commune la publication[ {name}]',
    en: 'hid in their commune the publication[ {name}]',
  },
  'publication.show_in_commune': {
    fr: 'montre de nouveau dans sa commune la publication[ {name}]',
    en: 'shows again in their commune the publication[ {name}]',
  },
  'publication.delete': {
    fr: 'a supprimé la publication[ {name}]',
    en: 'deleted the publication[ {name}]',
  },
  'publication.restore': {
    fr: 'a rétabli la publication[ {name}]',
    en: 'restored the publication[ {name}]',
  },
  'publication.keep': {
    fr: 'a décidé entre des doublons de la publication[ {name}]',
    en: 'decided between duplicates of the publication[ {name}]',
    cases: {
      field: 'moderation_status',
      is: {
        published: {
          fr: 'a gardé et publié, parmi des doublons, la publication[ {name}]',
          en: 'kept and published, among duplicates, the publication[ {name}]',
        },
        rejected: {
          fr: 'a rejeté comme doublon la publication[ {name}]',
          en: 'rejected as a duplicate the publication[ {name}]',
        },
      },
    },
  },
  'publication.distinguish': {
    fr: 'a décidé que la publication[ {name}] n’est pas un doublon',
    en: 'decided that the publication[ {name}] is no duplicate',
  },
  'publication.undo': {
    fr: 'a annulé une décision sur la publication[ {name}]',
    en: 'undid a decision on the publication[ {name}]',
  },
  'publication.report': {
    fr: 'a signalé la publication[ {name}]',
    en: 'reported the publication[ {name}]',
  },
  'publication.close_reports': {
    fr: 'a classé sans suite les signalements de la publication[ {name}]',
    en: 'closed the reports of the publication[ {name}]: nothing wrong',
  },
  'complaint.create': { fr: 'a contesté une décision', en: 'complained about a decision' },
  'complaint.decide': {
    fr: 'a tranché une réclamation',
    en: 'decided a complaint',
    cases: {
      field: 'decision',
      is: {
        upheld: {
          fr: 'a maintenu une décision après une réclamation',
          en: 'upheld a decision after a complaint',
        },
        reversed: {
          fr: 'a annulé une décision après une réclamation',
          en: 'reversed a decision after a complaint',
        },
      },
    },
  },
  'alerte.create': { fr: 'a créé l’alerte[ {name}]', en: 'created the alert[ {name}]' },
  'alerte.update': { fr: 'a modifié l’alerte[ {name}]', en: 'edited the alert[ {name}]' },
  'alerte.hide_in_commune': {
    fr: 'a masqué dans sa commune l’alerte[ {name}]',
    en: 'hid in their commune the alert[ {name}]',
  },
  'alerte.show_in_commune': {
    fr: 'montre de nouveau dans sa commune l’alerte[ {name}]',
    en: 'shows again in their commune the alert[ {name}]',
  },
  'notification.send': {
    fr: 'a fait envoyer un message[ de {name}] aux abonnés[ : {count}]',
    en: 'had a message[ of {name}] sent to subscribers[: {count}]',
  },
  'notification.resend': {
    fr: 'a fait renvoyer un message[ de {name}] aux abonnés dont l’envoi était incertain[ : {count}]',
    en: 'had a message[ of {name}] sent again to subscribers of whom it was uncertain[: {count}]',
  },
  'alerte.delete': { fr: 'a supprimé l’alerte[ {name}]', en: 'deleted the alert[ {name}]' },
  'alerte.restore': { fr: 'a rétabli l’alerte[ {name}]', en: 'restored the alert[ {name}]' },
  'act.create': { fr: 'a préparé un acte', en: 'prepared an act' },
  'act.update': { fr: 'a modifié le brouillon d’un acte', en: 'edited the draft of an act' },
  'act.delete': { fr: 'a supprimé le brouillon d’un acte', en: 'deleted the draft of an act' },
  'act.publish': { fr: 'a publié un acte', en: 'published an act' },
  'act.supersede': { fr: 'a remplacé un acte par un autre', en: 'replaced an act by another' },
  'act.archive': { fr: 'a archivé un acte', en: 'archived an act' },
  'act.occult': { fr: 'a occulté un acte', en: 'occulted an act' },
  'commune.create': { fr: 'a ajouté la commune[ {name}]', en: 'added the commune[ {name}]' },
  'commune.update': { fr: 'a modifié la commune[ {name}]', en: 'edited the commune[ {name}]' },
  'commune.restore': {
    fr: 'a rétabli ce qui était supprimé de la commune[ {name}]',
    en: 'restored what was deleted of the commune[ {name}]',
  },
  'collecte_import.create': {
    fr: 'a contrôlé un fichier de collectes',
    en: 'checked a file of waste collections',
  },
  'collecte_import.apply': {
    fr: 'a appliqué un fichier de collectes aux communes d’un groupement',
    en: 'applied a file of waste collections to the communes of a group',
  },
  'collecte_import.undo': {
    fr: 'a annulé l’import d’un fichier de collectes',
    en: 'undid the import of a file of waste collections',
  },
  'defibrillateur.update': {
    fr: 'a changé le statut du défibrillateur[ {name}]',
    en: 'changed the status of the defibrillator[ {name}]',
  },
  'defibrillateur_sync.create': {
    fr: 'a lancé une synchronisation des défibrillateurs',
    en: 'started a synchronisation of the defibrillators',
  },
  'import_source.create': {
    fr: 'a ajouté la source d’import[ {name}]',
    en: 'added the import source[ {name}]',
  },
  'import_source.update': {
    fr: 'a modifié la source d’import[ {name}]',
    en: 'edited the import source[ {name}]',
  },
  'import_source.delete': {
    fr: 'a supprimé la source d’import[ {name}]',
    en: 'deleted the import source[ {name}]',
  },
  'import_source.withdraw': {
    fr: 'a retiré les publications de la source d’import[ {name}]',
    en: 'withdrew the publications of the import source[ {name}]',
  },
  'import_run.accept': {
    fr: 'a publié ce qu’un import de la source[ {name}] retenait',
    en: 'published what an import of the source[ {name}] held back',
  },
  'import_run.refuse': {
    fr: 'a refusé ce qu’un import de la source[ {name}] retenait',
    en: 'refused what an import of the source[ {name}] held back',
  },
  'import_run.create': {
    fr: 'a lancé un import de la source[ {name}]',
    en: 'started an import of the source[ {name}]',
    cases: {
      field: 'dry_run',
      is: {
        true: {
          fr: 'a essayé un import de la source[ {name}]',
          en: 'tried an import of the source[ {name}]',
        },
      },
    },
  },
  'publication_type.create': {
    fr: 'a créé le type de publication[ {name}]',
    en: 'created the publication type[ {name}]',
  },
  'publication_type.update': {
    fr: 'a modifié le type de publication[ {name}]',
    en: 'edited the publication type[ {name}]',
  },
  'search_term.create': {
    fr: 'a ajouté le terme de recherche[ {name}]',
    en: 'added the search term[ {name}]',
  },
  'search_term.update': {
    fr: 'a modifié le terme de recherche[ {name}]',
    en: 'edited the search term[ {name}]',
  },
  'search_term.delete': {
    fr: 'a supprimé le terme de recherche[ {name}]',
    en: 'deleted the search term[ {name}]',
  },
} satisfies Sentences
