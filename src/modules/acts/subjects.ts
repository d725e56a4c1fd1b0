/**
 * The national nomenclature of subjects, which SCDL names too: two levels. The labels are those of the State, as printed on
 * every transmission to the préfecture.
 */
export const subjects = {
  '1.1': 'Marchés publics',
  '1.2': 'Délégation de service public',
  '1.3': 'Conventions de mandat',
  '1.4': 'Autres types de contrats',
  '1.5': 'Transactions, protocole d’accord transactionnel',
  '1.6': 'Actes relatifs à la maîtrise d’œuvre',
  '1.7': 'Actes spéciaux et divers',
  '2.1': 'Documents d’urbanisme',
  '2.2': 'Actes relatifs au droit d’occupation ou d’utilisation des sols',
  '2.3': 'Droit de préemption urbain',
  '3.1': 'Acquisitions',
  '3.2': 'Aliénations',
  '3.3': 'Locations',
  '3.4': 'Limites territoriales',
  '3.5': 'Autres actes de gestion du domaine public',
  '3.6': 'Autres actes de gestion du domaine privé',
  '4.1': 'Personnels titulaires et stagiaires de la fonction publique territoriale',
  '4.2': 'Personnels contractuels',
  '4.3': 'Fonction publique hospitalière',
  '4.4': 'Autres catégories de personnels',
  '4.5': 'Régime indemnitaire',
  '5.1': 'Élection de l’exécutif',
  '5.2': 'Fonctionnement des assemblées',
  '5.3': 'Désignation de représentants',
  '5.4': 'Délégation de fonctions',
  '5.5': 'Délégation de signature',
  '5.6': 'Exercice des mandats locaux',
  '5.7': 'Intercommunalité',
  '5.8': 'Décision d’ester en justice',
  '6.1': 'Police municipale',
  '6.2': 'Pouvoirs du président du conseil départemental',
  '6.3': 'Pouvoirs du président du conseil régional',
  '6.4': 'Autres actes réglementaires',
  '6.5': 'Actes pris au nom de l’État et soumis au contrôle hiérarchique',
  '7.1': 'Décisions budgétaires',
  '7.2': 'Fiscalité',
  '7.3': 'Emprunts',
  '7.4': 'Interventions économiques',
  '7.5': 'Subventions',
  '7.6': 'Contributions budgétaires',
  '7.7': 'Avances',
  '7.8': 'Fonds de concours',
  '7.9': 'Prises de participation',
  '7.10': 'Divers',
  '8.1': 'Enseignement',
  '8.2': 'Aide sociale',
  '8.3': 'Voirie',
  '8.4': 'Aménagement du territoire',
  '8.5': 'Politique de la ville, habitat, logement',
  '8.6': 'Emploi, formation professionnelle',
  '8.7': 'Transports',
  '8.8': 'Environnement',
  '8.9': 'Culture',
  '9.1': 'Autres domaines de compétences des communes',
  '9.2': 'Autres domaines de compétences des départements',
  '9.3': 'Autres domaines de compétences des régions',
  '9.4': 'Vœux et motions',
} as const
/** The first level, by the first digit of the codes. */
const themes: Record<string, string> = {
  1: 'Commande publique',
  2: 'Urbanisme',
  3: 'Domaine et patrimoine',
  4: 'Fonction publique',
  5: 'Institutions et vie politique',
  6: 'Libertés publiques et pouvoirs de police',
  7: 'Finances locales',
  8: 'Domaines de compétences par thèmes',
  9: 'Autres domaines de compétences',
}

/** The name of a subject as SCDL writes it: both levels, in small letters, without commas and brackets. */
export const nameOfSubject = (code: Subject): string =>
  `${themes[code.slice(0, 1)]}/${subjects[code]}`.toLowerCase().replaceAll(/[,()]/g, '')

export type Subject = keyof typeof subjects
export const subjectCodes = Object.keys(subjects) as Subject[]
