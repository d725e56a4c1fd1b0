import type { Sentences } from './sentence.ts'

/** Actions on acteurs, groups of communes, claims, subscriptions, threads and what colleagues share. */
export const organisationSentences = {
  'acteur.create': { fr: 'a créé l’acteur[ {name}]', en: 'created the organisation[ {name}]' },
  'acteur.update': { fr: 'a modifié l’acteur[ {name}]', en: 'edited the organisation[ {name}]' },
  'acteur.delete': { fr: 'a supprimé l’acteur[ {name}]', en: 'deleted the organisation[ {name}]' },
  'acteur.restore': { fr: 'a rétabli l’acteur[ {name}]', en: 'restored the organisation[ {name}]' },
  'acteur.badge': {
    fr: 'a changé le badge de l’acteur[ {name}][ : {badge}]',
    en: 'changed the badge of the organisation[ {name}][: {badge}]',
    cases: {
      field: 'badge',
      is: {
        null: {
          fr: 'a retiré le badge de l’acteur[ {name}]',
          en: 'removed the badge of the organisation[ {name}]',
        },
      },
    },
  },
  'acteur.validate': {
    fr: 'a changé la validation de l’acteur[ {name}]',
    en: 'changed the validation of the organisation[ {name}]',
    cases: {
      field: 'valide',
      is: {
        true: { fr: 'a validé l’acteur[ {name}]', en: 'validated the organisation[ {name}]' },
        false: {
          fr: 'a retiré la validation de l’acteur[ {name}]',
          en: 'withdrew the validation of the organisation[ {name}]',
        },
      },
    },
  },
  'acteur.active': {
    fr: 'a changé l’activité de l’acteur[ {name}]',
    en: 'changed whether the organisation[ {name}] is active',
    cases: {
      field: 'active',
      is: {
        true: { fr: 'a activé l’acteur[ {name}]', en: 'activated the organisation[ {name}]' },
        false: { fr: 'a désactivé l’acteur[ {name}]', en: 'deactivated the organisation[ {name}]' },
      },
    },
  },
  'acteur.can_publish': {
    fr: 'a changé le droit de publier sans modération de l’acteur[ {name}]',
    en: 'changed whether the organisation[ {name}] publishes without moderation',
    cases: {
      field: 'can_publish',
      is: {
        true: {
          fr: 'a permis à l’acteur[ {name}] de publier sans modération',
          en: 'allowed the organisation[ {name}] to publish without moderation',
        },
        false: {
          fr: 'a soumis à la modération les publications de l’acteur[ {name}]',
          en: 'made publications of the organisation[ {name}] subject to moderation',
        },
      },
    },
  },
  'acteur.member_add': {
    fr: 'a ajouté un membre à l’équipe de l’acteur[ {name}]',
    en: 'added a member to the team of the organisation[ {name}]',
    cases: {
      field: 'invited',
      is: {
        true: {
          fr: 'a invité quelqu’un dans l’équipe de l’acteur[ {name}]',
          en: 'invited somebody to the team of the organisation[ {name}]',
        },
      },
    },
  },
  'acteur.member_update': {
    fr: 'a changé les droits d’un membre de l’équipe de l’acteur[ {name}]',
    en: 'changed the rights of a member of the team of the organisation[ {name}]',
  },
  'acteur.member_remove': {
    fr: 'a retiré un membre de l’équipe de l’acteur[ {name}]',
    en: 'removed a member from the team of the organisation[ {name}]',
    cases: {
      field: 'invited',
      is: {
        true: {
          fr: 'a retiré une invitation dans l’équipe de l’acteur[ {name}]',
          en: 'withdrew an invitation to the team of the organisation[ {name}]',
        },
      },
    },
    ofSelf: {
      fr: 'a quitté l’équipe de l’acteur[ {name}]',
      en: 'left the team of the organisation[ {name}]',
    },
  },
  'acteur.member_join': {
    fr: 'a rejoint l’équipe de l’acteur[ {name}]',
    en: 'joined the team of the organisation[ {name}]',
  },
  'acteur.invitation_decline': {
    fr: 'a refusé une invitation dans l’équipe de l’acteur[ {name}]',
    en: 'declined an invitation to the team of the organisation[ {name}]',
  },
  'acteur.invitation_expire': {
    fr: 'a laissé expirer une invitation dans l’équipe de l’acteur[ {name}]',
    en: 'let an invitation to the team of the organisation[ {name}] expire',
  },
  'acteur.merge': {
    fr: 'a lancé la fusion de l’acteur[ {name}] avec un autre',
    en: 'started to merge the organisation[ {name}] with another',
  },
  'acteur.merge_end': {
    fr: 'a terminé la fusion de l’acteur[ {name}]',
    en: 'completed the merge of the organisation[ {name}]',
  },
  'claim.create': { fr: 'a revendiqué l’acteur[ {name}]', en: 'made a claim to the organisation[ {name}]' },
  'claim.conflict': {
    fr: 'a revendiqué l’acteur[ {name}], alors qu’une revendication attendait déjà',
    en: 'made a claim to the organisation[ {name}] while another was pending',
  },
  'claim.decide': {
    fr: 'a décidé d’une revendication[ pour l’acteur {name}]',
    en: 'decided a claim[ to the organisation {name}]',
    cases: {
      field: 'status',
      is: {
        approved: {
          fr: 'a accepté une revendication[ pour l’acteur {name}]',
          en: 'approved a claim[ to the organisation {name}]',
        },
        rejected: {
          fr: 'a refusé une revendication[ pour l’acteur {name}]',
          en: 'rejected a claim[ to the organisation {name}]',
        },
      },
    },
  },
  'claim.expire': {
    fr: 'a laissé expirer une revendication[ pour l’acteur {name}]',
    en: 'expired a claim[ to the organisation {name}]',
  },
  'claim.question': {
    fr: 'a posé une question sur une revendication[ pour l’acteur {name}]',
    en: 'asked a question about a claim[ to the organisation {name}]',
  },
  'claim.resume': {
    fr: 'n’attend plus de réponse sur une revendication[ pour l’acteur {name}]',
    en: 'no longer waits for an answer about a claim[ to the organisation {name}]',
  },
  'claim.undo': {
    fr: 'a annulé une décision sur une revendication[ pour l’acteur {name}]',
    en: 'undid a decision on a claim[ to the organisation {name}]',
  },
  'subscription.assign': {
    fr: 'a rattaché un abonnement[ à l’acteur {name}]',
    en: 'assigned a subscription[ to the organisation {name}]',
  },
  'payment_event.replay': {
    fr: 'a appliqué de nouveau un événement de paiement',
    en: 'applied a payment event again',
  },
  'payment_event.ignore': {
    fr: 'a écarté un événement de paiement',
    en: 'ignored a payment event',
  },
  'payment_event.settle': {
    fr: 'a classé un événement de paiement, sans rien faire de plus',
    en: 'settled a payment event without further action',
  },
  'thread.create': {
    fr: 'a écrit à l’assistance[ (échange {name})]',
    en: 'wrote to support[ (thread {name})]',
  },
  'thread.receive': {
    fr: 'a reçu une réponse par courriel dans l’échange[ {name}]',
    en: 'received an answer by mail in the thread[ {name}]',
  },
  'thread.reply': {
    fr: 'a répondu dans l’échange[ {name}]',
    en: 'replied to the thread[ {name}]',
    cases: {
      field: 'email_status',
      is: {
        queued: {
          fr: 'a renvoyé une réponse de l’échange[ {name}]',
          en: 'resent a reply in the thread[ {name}]',
        },
      },
    },
  },
  'thread.delete_message': {
    fr: 'a annulé une réponse avant son envoi dans l’échange[ {name}]',
    en: 'took back a reply in the thread[ {name}] before it was sent',
  },
  'thread.assign': {
    fr: 'a changé la personne qui suit l’échange[ {name}]',
    en: 'changed who handles the thread[ {name}]',
  },
  'thread.read': { fr: 'a marqué comme lu l’échange[ {name}]', en: 'marked the thread[ {name}] as read' },
  'thread.unread': {
    fr: 'a marqué comme non lu l’échange[ {name}]',
    en: 'marked the thread[ {name}] as unread',
  },
  'thread.flag': {
    fr: 'a changé le drapeau de l’échange[ {name}]',
    en: 'changed the flag of the thread[ {name}]',
  },
  'thread.close': {
    fr: 'a fermé l’échange[ {name}]',
    en: 'closed the thread[ {name}]',
    cases: {
      field: 'status',
      is: { open: { fr: 'a rouvert l’échange[ {name}]', en: 'reopened the thread[ {name}]' } },
    },
  },
  'media.create': { fr: 'a envoyé une image ou un document', en: 'sent a picture or a document' },
  'media.update': { fr: 'a décrit une image ou un document', en: 'described a picture or a document' },
  'media.delete': { fr: 'a supprimé une image ou un document', en: 'deleted a picture or a document' },
  'media.remove_infected': {
    fr: 'a supprimé une image ou un document, où l’antivirus a trouvé un virus',
    en: 'deleted a picture or a document, in which the antivirus found a virus',
  },
  'note.create': { fr: 'a écrit une note pour ses collègues', en: 'wrote a note for colleagues' },
  'note.delete': { fr: 'a supprimé une note', en: 'deleted a note' },
  'template.create': { fr: 'a créé le modèle[ {name}]', en: 'created the template[ {name}]' },
  'template.update': { fr: 'a modifié le modèle[ {name}]', en: 'edited the template[ {name}]' },
  'template.delete': { fr: 'a supprimé le modèle[ {name}]', en: 'deleted the template[ {name}]' },
  'ground.create': { fr: 'a créé le motif[ {name}]', en: 'created the ground[ {name}]' },
  'ground.update': { fr: 'a modifié le motif[ {name}]', en: 'edited the ground[ {name}]' },
  'ground.delete': { fr: 'a supprimé le motif[ {name}]', en: 'deleted the ground[ {name}]' },
  'group.create': {
    fr: 'a créé le groupe de communes[ {name}]',
    en: 'created the group of communes[ {name}]',
  },
  'group.update': {
    fr: 'a modifié le groupe de communes[ {name}]',
    en: 'edited the group of communes[ {name}]',
  },
  'group.delete': {
    fr: 'a supprimé le groupe de communes[ {name}]',
    en: 'deleted the group of communes[ {name}]',
  },
  'domain.create': { fr: 'a ajouté le domaine[ {name}]', en: 'added the domain[ {name}]' },
  'domain.update': { fr: 'a modifié le domaine[ {name}]', en: 'edited the domain[ {name}]' },
  'domain.verify': { fr: 'a vérifié le domaine[ {name}]', en: 'verified the domain[ {name}]' },
  'domain.make_primary': {
    fr: 'a choisi comme adresse principale le domaine[ {name}]',
    en: 'chose as primary the domain[ {name}]',
  },
  'domain.delete': { fr: 'a supprimé le domaine[ {name}]', en: 'deleted the domain[ {name}]' },
  'page.create': { fr: 'a écrit la page[ {name}]', en: 'wrote the page[ {name}]' },
  'page.update': { fr: 'a modifié la page[ {name}]', en: 'edited the page[ {name}]' },
  'page.delete': { fr: 'a supprimé la page[ {name}]', en: 'deleted the page[ {name}]' },
  'page.restore': { fr: 'a rétabli la page supprimée[ {name}]', en: 'restored the deleted page[ {name}]' },
  'secteur.create': { fr: 'a créé le secteur[ {name}]', en: 'created the secteur[ {name}]' },
  'secteur.update': { fr: 'a modifié le secteur[ {name}]', en: 'edited the secteur[ {name}]' },
  'secteur.delete': { fr: 'a supprimé le secteur[ {name}]', en: 'deleted the secteur[ {name}]' },
  'page.restore_version': {
    fr: 'a rétabli un texte précédent de la page[ {name}]',
    en: 'restored a former text of the page[ {name}]',
  },
  'mail.settle': {
    fr: 'a classé un courriel incertain, sans rien faire de plus',
    en: 'settled an uncertain mail without further action',
  },
  'mail.resend': {
    fr: 'a renvoyé un courriel',
    en: 'resent a mail',
    cases: {
      field: 'mail',
      is: {
        publication_decision: {
          fr: 'a renvoyé le courriel sur la publication[ {name}]',
          en: 'resent the mail about the publication[ {name}]',
        },
        acteur_deactivation: {
          fr: 'a renvoyé le courriel sur la désactivation[ de l’acteur {name}]',
          en: 'resent the mail about the deactivation[ of the organisation {name}]',
        },
        alerte_reminder: {
          fr: 'a renvoyé le rappel de l’alerte[ {name}]',
          en: 'resent the reminder about the alert[ {name}]',
        },
        alerte_hiding: {
          fr: 'a renvoyé le courriel sur l’alerte masquée[ {name}]',
          en: 'resent the mail about the hidden alert[ {name}]',
        },
        claim_decision: {
          fr: 'a renvoyé la décision sur une revendication[ pour l’acteur {name}]',
          en: 'resent the decision on a claim[ to the organisation {name}]',
        },
        claim_question: {
          fr: 'a renvoyé une question sur une revendication[ pour l’acteur {name}]',
          en: 'resent a question about a claim[ to the organisation {name}]',
        },
        support_reply: {
          fr: 'a renvoyé une réponse de l’échange[ {name}]',
          en: 'resent a reply in the thread[ {name}]',
        },
      },
    },
  },
} satisfies Sentences
