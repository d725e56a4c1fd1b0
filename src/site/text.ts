import { type CollecteSchedule, JOURS } from '../modules/communes/calendar.ts'
import type { Recurrence } from '../modules/publications/recurrence.ts'
import { ruleInWords } from '../modules/publications/recurrence-words.ts'
import { daysLater } from '../platform/time/days.ts'

/** Every sentence of the public site. */
export const t = {
  skip: 'Aller au contenu',
  mainNav: 'Navigation principale',
  crumbs: 'Fil d’Ariane',
  search: 'Rechercher',
  goTo: 'Aller à',
  backoffice: 'Espace des mairies et associations',
  noCookie: 'Ce site ne dépose aucun cookie et ne suit personne.',
  home: {
    title: 'Votre commune, ce soir et demain',
    lead: 'Ce qui se passe dans votre commune : actualités, agenda, collectes, alertes.',
    bins: 'Mes bacs',
    map: 'Carte des départements',
    skipMap: 'Passer la carte',
    mapSource: 'Contours\u00a0: IGN, Admin Express 2018, Licence Ouverte.',
    latest: 'À la une',
    none: 'Aucune publication n’est mise en avant pour le moment. Cherchez votre commune pour voir ce qui s’y passe.',
  },
  /** The worker fills in what stands in braces. */
  offline: {
    title: 'Hors connexion',
    lead: 'Cette page n’est pas gardée sur votre appareil. Elle s’ouvrira quand la connexion sera revenue.',
    copy: 'Vous pouvez relire\u00a0:',
    seen: 'Vu {age}, hors connexion.',
    dated:
      'La page date du {day}\u00a0: «\u00a0aujourd’hui\u00a0» et «\u00a0demain\u00a0» se comptent à partir de ce jour.',
    justNow: 'à l’instant',
    again: 'Réessayer',
  },
  around: {
    title: 'Autour de vous',
    button: 'Autour de moi',
    waiting: 'Votre appareil cherche sa position…',
    refused:
      'Votre appareil ne donne pas sa position. Écrivez le nom de la commune, ou choisissez le département.',
    none: 'Ce site ne connaît aucune commune à moins de 50 km d’ici.',
  },
  communes: {
    title: 'Trouver une commune',
    menu: 'Communes',
    for: { collectes: 'Mes bacs', inscrire: 'Inscrire une association ou un commerce' },
    forWords: (words: string) => `« ${words} » dans votre commune`,
    label: 'Nom de la commune ou code postal',
    placeholderless: 'Par exemple : Chambéry, ou 73000',
    submit: 'Chercher',
    none: (q: string) =>
      `Aucune commune ne correspond à « ${q} ». Vérifiez l’orthographe, ou essayez le code postal.`,
    found: (q: string) => `Communes pour « ${q} »`,
    firstOnes: (count: number) =>
      `Seules les ${count} premières sont affichées. Écrivez le nom en entier, ou ajoutez le département, par exemple : Saint-Denis, 93.`,
    nothing: 'Aucune commune de ce département n’est enregistrée.',
    insee: (code: string) => `code INSEE ${code}`,
    other: 'Autre commune ?',
    byDepartement: 'Par département',
    shown: 'Les communes de ce site',
    all: 'Toutes les communes de ce site',
    of: (departement: string, code: string) => `Communes\u00a0: ${departement} (${code})`,
  },
  commune: {
    description: (nom: string) =>
      `Actualités, agenda, collectes, alertes et services de la commune de ${nom}.`,
    home: 'Accueil',
    all: (nom: string) => `Tout ${nom}`,
    keepUp: 'Suivre',
    contact: 'Coordonnées, horaires',
    story: 'À la une',
    seeks: 'Je cherche',
    events: 'Ensuite',
    publications: 'Actualités',
    weekend: 'Ce week-end',
    mairie: 'La mairie',
    mairieShort: 'Mairie',
    details: 'Coordonnées et horaires',
    call: 'Appeler',
    write: 'Écrire',
    route: 'Itinéraire',
    goThere: 'Y aller',
    hours: 'Tous les horaires',
    follow: 'Ne rien manquer',
    receive: 'Recevoir les alertes',
    receiveLead:
      'Alertes, rappel des collectes la veille, publications de la semaine : par courriel ou notification, sans compte.',
    maire: 'Maire',
    more: 'Plus',
    allAgenda: 'Tout l’agenda',
    allNews: 'Toutes les actualités',
    services: 'Dans cette commune',
    empty: (nom: string) => `Rien n’est encore publié pour ${nom} : ni actualité, ni événement, ni collecte.`,
    askMairie: 'Pour que ces informations paraissent ici, adressez-vous à la mairie.',
    isWrong: 'C’est inexact\u00a0?',
    noContact: 'Les coordonnées de la mairie ne sont pas encore renseignées.',
    memberOf: 'Fait partie de\u00a0:',
    adresse: 'Adresse',
    telephone: 'Téléphone',
    email: 'Courriel',
    site_web: 'Site',
  },
  groups: {
    title: 'Intercommunalités et syndicats',
    lead: 'Ce que les communes font ensemble : eau, déchets, transports, secours.',
    label: 'Nom du groupement ou numéro SIREN',
    of: (departement: string, code: string) =>
      `Intercommunalités et syndicats\u00a0: ${departement} (${code})`,
    count: (count: number) => (count > 1 ? `${count} communes` : 'une commune'),
    nothing: 'Aucun groupement n’est encore enregistré.',
    noneFound: (q: string) => `Aucun groupement ne correspond à « ${q} ». Vérifiez l’orthographe.`,
    kinds: { epci: 'Intercommunalité', syndicat: 'Syndicat de communes', autre: 'Groupe de communes' },
    members: (count: number) =>
      count > 1 ? `${count} communes membres` : count === 1 ? 'Une commune membre' : 'Communes membres',
    none: 'Aucune commune n’est encore enregistrée.',
    news: 'Actualités',
    allNews: 'Toutes ses publications',
    agenda: 'Agenda',
    allDates: 'Tout son agenda',
    description: (nom: string, kind: string) => `${nom}\u00a0: ${kind.toLowerCase()}, ses communes membres.`,
    bins: 'Jours de collecte',
    binsOf: (nom: string) => `Jours de collecte\u00a0: ${nom}`,
    address: 'Votre adresse, avec la commune',
    addressHint: (nom: string) =>
      `Exemple : 12 rue de la République, ${nom}. Elle n’est ni enregistrée ni conservée.`,
    binsByCommune: 'Par commune',
    messagesLead:
      'Recevez les alertes du groupement dès leur publication, ou ses publications une fois par semaine. Il ne faut pas de compte, et un clic suffit pour ne plus rien recevoir.',
    messagesByCommune: 'Suivre aussi votre commune',
    messagesOfCommune:
      'Avec ses messages et le rappel de ses collectes. Une alerte du groupement arrive une seule fois, même si vous suivez les deux.',
    unknownAddress: 'Je ne sais pas\u00a0: choisir la commune',
    whichCommune: (adresse: string) => `« ${adresse} » ne nomme aucune commune d’ici. Choisissez la vôtre.`,
    oneOfCode: (adresse: string) => `« ${adresse} » peut être dans plusieurs communes\u00a0:`,
    perhapsIn: (adresse: string) => `« ${adresse} » ne nomme aucune commune d’ici. Vouliez-vous dire\u00a0:`,
  },
  niveaux: { info: 'Information', attention: 'Attention', urgence: 'Urgence' },
  defibrillateurs: 'Défibrillateurs',
  publications: {
    title: 'Actualités',
    of: (nom: string) => `Actualités de ${nom}`,
    narrow: 'Chercher dans les publications',
    words: 'Mots recherchés',
    type: 'Type',
    allTypes: 'Tous les types',
    filter: 'Filtrer',
    none: 'Aucune publication ne correspond.',
    pastEnd: 'Cette page est au-delà de la dernière.',
    previous: 'Page précédente',
    next: 'Page suivante',
    first: 'Revenir à la première page',
    page: (at: number, of: number) => `Page ${at} sur ${of}`,
    pages: 'Pages',
    titled: (title: string, about: readonly (string | false)[]) =>
      [title, ...about.filter(Boolean)].join(', '),
    quoted: (q: string) => q !== '' && `« ${q} »`,
    pageNumber: (page: number) => page > 1 && `page ${page}`,
    further: 'suite',
  },
  publication: {
    by: 'Publié par',
    on: 'le',
    when: 'Quand',
    where: 'Communes',
    place: 'Lieu',
    point: 'sur la carte',
    source: 'En savoir plus',
    sourceLink: 'Voir la page d’origine',
    report: 'Signaler cette publication',
    documents: 'Documents',
    document: (bytes: number, pages: number) =>
      `PDF, ${fileSize(bytes)}, ${pages} page${pages > 1 ? 's' : ''}`,
  },
  agenda: {
    title: 'Agenda',
    of: (nom: string) => `Agenda de ${nom}`,
    none: 'Aucun événement n’est annoncé.',
    nothing: (days: string) => `Rien n’est annoncé ${days}.`,
    comesNext: 'Prochaine date :',
    months: 'Mois',
    all: 'Toutes les dates',
    inMonth: (month: string) => `en ${month}`,
    days: 'Jours',
    spans: { aujourdhui: 'aujourd’hui', demain: 'demain', 'week-end': 'ce week-end' },
    thisMonth: 'Ce mois-ci',
    until: (date: string) => `jusqu’au ${date}`,
    underWay: 'En ce moment',
    calledOff: 'Annulé',
    nextDates: 'Prochaines dates',
    otherDates: 'Autres dates',
    /** `6 dates jusqu’au 16 février 2027`; of more than are read: `60 dates ou plus`. */
    dates: (days: readonly string[], most: number) =>
      days.length < most
        ? `${days.length} dates jusqu’au ${dateInWords(days.at(-1) ?? '')}`
        : `${most} dates ou plus`,
    movedTo: (date: string) => `reporté au ${date}`,
    to: 'au',
    choose: 'Choisir un mois',
  },
  calendar: {
    add: 'Ajouter à mon calendrier',
    apple: 'Apple, Outlook',
    google: 'Google Agenda',
    file: 'Fichier',
  },
  collectes: {
    title: 'Mes bacs',
    tonight: 'Ce soir, sortez',
    later: (day: string) => `Prochaine collecte ${day}`,
    passage: (day: string) => `Passage ${day}`,
    elsewhere: 'Une autre adresse\u00a0?',
    of: (nom: string) => `Collectes des déchets à ${nom}`,
    none: 'Le calendrier des collectes n’est pas encore renseigné.',
    everywhere: 'Toute la commune',
    secteur: (nom: string) => `Secteur ${nom}`,
    renamed: (nom: string) => `Secteur renommé : ${nom}`,
    renamedHow: (url: string) =>
      `La commune ne nomme plus ce secteur ainsi. Ce calendrier montre les collectes de tous les secteurs : abonnez-vous à celui du vôtre sur ${url}`,
    next: 'Prochain passage',
    soon: 'Les quinze jours qui viennent',
    nothing: 'rien à sortir',
    following: 'Puis',
    secteurs: 'Secteurs',
    mine: 'Mon secteur',
    giveAddress: 'Donner mon adresse',
    chooseSecteur: 'Choisir mon secteur',
    choose: 'Choisir',
    others: 'tous les secteurs',
    address: 'Votre adresse',
    addressHint: 'Exemple : 12 rue de la République. Elle n’est ni enregistrée ni conservée.',
    findMine: 'Voir mes jours',
    unknown: 'Je ne sais pas\u00a0: voir toutes les collectes',
    addNumber: 'Cette rue est dans plusieurs secteurs : ajoutez le numéro, ou choisissez.',
    missingNumber: 'Ajoutez le numéro : cette rue peut être dans plusieurs secteurs.',
    several: 'Cette adresse est dans plusieurs secteurs :',
    perhaps: (adresse: string) => `« ${adresse} » n’est dans aucun secteur. Vouliez-vous dire :`,
    unknownAddress: (adresse: string) =>
      `« ${adresse} » n’est dans aucun secteur connu. Les collectes de tous les secteurs sont ci-dessous ; la mairie connaît le vôtre.`,
    noDates: 'Aucune date n’est connue.',
    holiday: 'jour férié : à confirmer auprès de la mairie',
    year: 'Afficher les dates de douze mois',
    short: 'Afficher seulement les prochaines dates',
    porte_a_porte: 'En porte-à-porte',
    apport_volontaire: 'En point d’apport volontaire',
  },
  alertes: {
    title: 'Alertes',
    of: (nom: string) => `Alertes à ${nom}`,
    none: 'Aucune alerte n’est en cours.',
    urgent: 'Alertes urgentes',
    read: 'Lire',
    inForce: 'En cours',
    ended: 'Terminées depuis moins de trente jours',
    since: (date: string) => `Depuis le ${date}`,
    until: (date: string) => `Jusqu’au ${date}`,
    over: (date: string) => `Terminée le ${date}`,
    places: (noms: readonly string[]) => {
      const others = noms.length > 13 ? noms.length - 12 : 0
      return `Pour ${joined.format(others === 0 ? noms : [...noms.slice(0, 12), `${others} autres communes`])}`
    },
  },
  pages: {
    title: 'Vivre ici',
    of: (nom: string) => `Vivre à ${nom}`,
    lead: 'Démarches, services et équipements, expliqués par la mairie.',
    none: (nom: string) => `${nom} n’a encore écrit aucune page ici.`,
    below: 'Dans cette rubrique',
    beside: 'Sur le même sujet',
    contacts: 'Contacts',
    updated: 'Mis à jour le',
  },
  actes: {
    title: 'Décisions',
    of: (nom: string) => `Décisions de ${nom}`,
    all: 'Toutes les décisions',
    lead: 'Délibérations, arrêtés et autres actes que la loi demande de mettre en ligne, chacun avec la preuve de sa date.',
    none: (nom: string) =>
      `${nom} n’a encore mis aucun acte en ligne ici. Pour en lire un, adressez-vous à la mairie.`,
    noneOfGroup: (nom: string) => `${nom} n’a encore mis aucun acte en ligne ici.`,
    noneFound: 'Aucun acte ne correspond.',
    filter: 'Chercher dans les actes',
    words: 'Mots du titre ou du texte',
    kind: 'Nature',
    allKinds: 'Toutes',
    year: 'Année',
    allYears: 'Toutes',
    kinds: {
      deliberation: 'Délibération',
      arrete: 'Arrêté',
      decision: 'Décision',
      proces_verbal: 'Procès-verbal',
      liste_des_deliberations: 'Liste des délibérations',
      budget: 'Budget',
      autre: 'Autre acte',
    },
    number: (number: string) => `n°\u00a0${number}`,
    dated: (date: string) => `du ${date}`,
    online: (moment: string) => `en ligne depuis le ${moment}`,
    states: { superseded: 'Remplacé par un autre acte', occulted: 'Retiré', archived: 'Archivé' },
    facts: {
      number: 'Numéro',
      date: 'Date de l’acte',
      online: 'Mis en ligne',
      author: 'Auteur',
      by: 'Publié par',
      group: 'Groupement',
      communes: 'Communes',
      subject: 'Matière',
    },
    supersededBy: 'Cet acte n’est plus en vigueur. Il a été remplacé par :',
    supersedes: 'Cet acte remplace :',
    otherAct: 'un autre acte',
    archived: (date: string) =>
      `Cet acte a quitté la liste de la commune le ${date}, après deux mois en ligne au moins. Son texte et sa preuve restent ici.`,
    occulted: (date: string) => `Le texte de cet acte a été retiré le ${date}, pour cette raison :`,
    download: 'Télécharger l’acte',
    typedText: 'Lire le texte, saisi par la mairie',
    appeal: 'Contester cet acte',
    appealText: (from: string, to: string) =>
      `Le délai pour le contester devant le tribunal administratif est de deux mois à compter de sa mise en ligne, le ${from}. Il court au moins jusqu’au ${to}.`,
    appealOfPerson: 'Pour la personne que l’acte concerne, il court à partir du jour où elle l’a reçu.',
    proof: 'Vérifier la date et le texte',
    proofText: (moment: string) =>
      `Ce site a scellé l’acte au moment de sa mise en ligne, le ${moment} à son horloge. Changer depuis le fichier, la date ou l’auteur romprait le sceau, et tous ceux qui suivent.`,
    stamped: (authority: string, moment: string) =>
      `Une autorité d’horodatage, « ${authority} », a signé qu’elle a vu ce sceau le ${moment}.`,
    proofHow:
      'La preuve contient l’acte, son sceau et un court programme : elle se vérifie sur votre ordinateur, sans ce site. La racine de chaque jour est publique : qui en garde une copie peut vérifier, plus tard, que rien n’a été réécrit.',
    proofOcculted: 'Le fichier n’y est plus ; son empreinte y reste.',
    presence: (samples: number, missing: number) =>
      `Deux fois par jour, ce site demande le fichier à sa propre adresse. ${samples > 1 ? `${samples} relevés` : '1 relevé'}, ${missing === 0 ? 'aucune absence' : missing > 1 ? `${missing} absences` : '1 absence'}.`,
    uninterrupted: (from: string, until: string) => `Aucune interruption constatée du ${from} au ${until}.`,
    interrupted: (count: number) =>
      count > 1
        ? `${count} fois, rien ne montre qu’il était en ligne :`
        : 'Une fois, rien ne montre qu’il était en ligne :',
    interruption: (from: string, until: string) => `du ${from} au ${until}`,
    proofLink: 'Télécharger la preuve (ZIP)',
    presenceLink: 'Télécharger la preuve de présence en ligne (ZIP)',
    roots: 'Racines de tous les jours (JSON)',
    rootsFeed: 'Recevoir chaque racine (RSS)',
    rootsTitle: 'Racines des actes publiés',
    rootOf: (day: string) => `Racine du ${day}`,
    rootText: (number: number, seal: string) =>
      `Sceau n\u00b0\u00a0${number}\u00a0: ${seal}. Gardez-le\u00a0: aucun acte publié jusqu’à ce jour ne peut plus être changé sans que cela se voie.`,
    digests: 'Empreinte et sceau',
    sha256: 'SHA-256 du PDF',
    seal: (number: number) => `Sceau n°\u00a0${number}`,
  },
  elus: {
    title: 'Vos élus',
    of: (nom: string) => `Le conseil municipal de ${nom}`,
    none: 'La liste des élus n’est pas encore renseignée.',
  },
  acteurs: {
    title: 'Associations, commerces',
    of: (nom: string) => `Associations, commerces et services de ${nom}`,
    none: 'Aucun acteur n’est encore inscrit à l’annuaire.',
    search: 'Nom recherché',
    noneFound: (q: string) => `Aucun nom ne correspond à « ${q} ».`,
    near: 'Noms à l’orthographe proche',
    types: {
      mairie: 'Mairie',
      intercommunalite: 'Intercommunalités',
      association: 'Associations',
      commerce: 'Commerces',
      ecole: 'Écoles',
      service: 'Services',
      autre: 'Autres',
    },
    publications: 'Ses publications',
    noPublication: 'Aucune publication pour le moment.',
    contact: 'Coordonnées',
    hours: 'Horaires',
  },
  hours: {
    always: '24 h sur 24, 7 jours sur 7',
    everyDay: 'tous les jours',
    holidays: 'jours fériés',
    closed: 'fermé',
    unknown: 'Horaires inconnus.',
    unknownCall: 'Horaires inconnus. Appelez avant de venir.',
    isOpen: 'ouverte',
    isClosed: 'fermée',
    holiday: 'jour férié',
    until: (moment: string) => `jusqu’à ${moment}`,
    again: (time: string) => `puis dès ${time}`,
    opens: (day: string, time: string) => `ouvre ${day === '' ? '' : `${day} `}à ${time}`,
    fromTo: (first: string, last: string) => `du ${first} au ${last}`,
    today: 'aujourd’hui',
    theDay: (day: string) => `le ${day}`,
    closedOn: (day: string) => `Fermé exceptionnellement ${day}`,
    closedFrom: (first: string, last: string) => `Fermé du ${first} au ${last}`,
    closedForHoliday: (day: string) => `Fermé ${day}, jour férié`,
    closedToday: 'fermée exceptionnellement',
    otherOn: (day: string, times: string) => `Horaires particuliers ${day}\u00a0: ${times}`,
    other: (span: string) => `Horaires particuliers ${span}`,
    summer: (span: string) => `Horaires d’été ${span}`,
    yearly: ', chaque année',
    days: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
  },
  dae: {
    title: 'Défibrillateurs',
    of: (nom: string) => `Défibrillateurs à ${nom}`,
    none: 'Aucun défibrillateur n’est connu ici.',
    perhaps: 'Vouliez-vous dire :',
    open: 'Ouvert maintenant',
    closed: 'Fermé',
    unknown: 'Horaires inconnus',
    openMap: 'Ouvrir dans une carte',
    emergency: 'En cas d’urgence, appelez le 15 ou le 112.',
    label: 'Adresse, nom de lieu ou commune',
    lead: 'Trouver un défibrillateur en France, d’après le registre national.',
    nearest: 'Défibrillateur le plus proche',
    around: (nom: string) => `Autour de ${nom}`,
    near: (nom: string) => `Près de ${nom}`,
    distance: (m: number) => `à ${m < 1_000 ? `${m} m` : `${(m / 1_000).toFixed(1).replace('.', ',')} km`}`,
    map: {
      button: 'Voir la carte',
      close: 'Fermer la carte',
      loading: 'La carte se charge…',
      failed: 'La carte n’a pas pu s’ouvrir. La recherche et la liste restent là.',
      title: 'Carte des défibrillateurs',
      here: 'Vous êtes ici',
      zoomIn: 'Agrandir',
      zoomOut: 'Réduire',
      leave: 'Fermer',
      seen: 'Défibrillateurs sur la carte\u00a0: {count}, ouverts maintenant\u00a0: {open}.',
      nearest:
        'Seuls les plus proches du milieu de la carte sont montrés\u00a0: agrandissez-la pour voir tous les autres.',
      closer: 'Agrandissez la carte pour voir tous les défibrillateurs.',
      areaFailed:
        'Les défibrillateurs de cet endroit n’ont pas pu être chargés. Ceux de la liste restent là.',
      source:
        'Cette carte n’a pas de rues\u00a0: pour y aller, touchez un défibrillateur, puis «\u00a0Ouvrir dans une carte\u00a0». Contours\u00a0: IGN, GEOFLA 2016, Licence Ouverte.',
    },
  },
  recherche: {
    title: 'Rechercher',
    label: 'Que cherchez-vous ?',
    titleIn: (nom: string) => `Rechercher à ${nom}`,
    where: 'Où chercher',
    inside: (nom: string) => `dans ${nom}`,
    everywhere: 'partout',
    tryEverywhere: 'Chercher partout',
    services: 'Services',
    infos: 'Informations pratiques',
    communes: 'Communes',
    publications: 'Publications',
    acteurs: 'Acteurs',
    actes: 'Actes',
    found: (title: string, total: number, isAtLeast: boolean) =>
      `${title} (${isAtLeast ? 'plus de ' : ''}${total.toLocaleString('fr')})`,
    more: {
      communes: 'Toutes les communes trouvées',
      acteurs: 'Tous les acteurs trouvés',
      publications: 'Toutes les publications trouvées',
      actes: 'Tous les actes trouvés',
    },
    all: 'Tous les résultats',
    none: (q: string) => `Rien ne correspond à « ${q} ».`,
    noWord: 'Écrivez au moins un mot : un nom, un lieu, un événement.',
    inDocument: (nom: string) => `dans le document « ${nom} »`,
  },
  error: {
    400: [
      'Demande incompréhensible',
      'Le site n’a pas pu lire ce que votre navigateur a envoyé. Rechargez la page, puis recommencez.',
    ],
    403: [
      'Envoi refusé',
      'Ce formulaire a été envoyé depuis un autre site, ou votre navigateur ne dit pas d’où il vient. Ouvrez la page du formulaire sur ce site, puis envoyez-le de là.',
    ],
    404: ['Page introuvable', 'Cette page n’existe pas, ou n’est plus publiée.'],
    413: [
      'Texte trop long',
      'Ce que vous avez écrit est trop long pour être envoyé. Raccourcissez le texte, puis envoyez-le de nouveau.',
    ],
    415: [
      'Envoi refusé',
      'Ce site ne lit que ses propres formulaires, sans fichier joint. Rechargez la page du formulaire, puis recommencez.',
    ],
    422: ['Adresse incorrecte', 'Cette adresse contient une valeur que le site ne comprend pas.'],
    429: ['Trop de demandes', 'Vous avez envoyé beaucoup de demandes. Réessayez un peu plus tard.'],
    503: ['Service momentanément indisponible', 'Réessayez dans quelques instants.'],
    other: [
      'Une erreur s’est produite',
      'La page n’a pas pu être affichée. Réessayez dans quelques instants.',
    ],
    back: 'Votre navigateur garde ce que vous avez écrit : revenez à la page précédente.',
    home: 'Aller à l’accueil',
  },
  follow: {
    title: 'Calendriers et flux',
    of: (nom: string) => `Suivre ${nom}`,
    link: 'S’abonner dans un calendrier ou un lecteur de flux',
    calendars: 'Dans votre calendrier',
    calendarsHow:
      'Choisissez votre calendrier : il propose de s’abonner, puis se met à jour tout seul. Ailleurs, copiez l’adresse du fichier dans « Ajouter un calendrier par URL ».',
    collectes: 'Toutes les collectes, avec un rappel la veille à 19 h',
    collectesOf: (secteur: string) => `Collectes du secteur ${secteur}, avec un rappel la veille à 19 h`,
    feed: 'flux RSS',
    feeds: 'Dans un lecteur de flux',
    feedsHow:
      'Copiez l’adresse dans votre lecteur de flux (RSS). Les nouvelles publications y arrivent sans que vous donniez votre adresse à personne.',
  },
  data: {
    title: 'Données ouvertes',
    lead: 'Ce que ce site montre, à télécharger et à réutiliser.',
    licence: 'Licence :',
    formats:
      'Tout est en UTF-8. CSV : une virgule entre les colonnes, un point décimal, une valeur par colonne ; plusieurs valeurs de même nature sont séparées par « | ». GeoJSON : ce qui a un lieu.',
    formatNames: { csv: 'CSV', json: 'JSON', geojson: 'GeoJSON' },
    beingBuilt: 'en cours d’écriture : sa date et sa taille seront ici dans un instant',
    built: (moment: string, size: string) => `du ${moment}, ${size}`,
    fields: (title: string) => `Colonnes : ${title.toLowerCase()}`,
    sets: {
      communes: ['Communes', 'Nom, code INSEE, codes postaux et département.'],
      publications: ['Publications', 'Texte, dates, lieu, auteur et communes de chaque publication.'],
      agenda: ['Agenda', 'Les publications qui ont une date, passées et à venir.'],
      alertes: ['Alertes', 'Les alertes en cours, et celles des trente derniers jours.'],
      collectes: ['Collectes', 'Jours, dates, exceptions et consignes, par commune et secteur.'],
      infos: ['Informations', 'Ce que chaque mairie dit d’elle : horaires, contacts et autres.'],
      elus: ['Élus', 'Les membres des conseils, par commune, avec leur fonction.'],
      deliberations: [
        'Délibérations',
        'Au format SCDL 2.1 : les délibérations dont la matière est connue, des mairies qui ont indiqué leur SIRET.',
      ],
      annuaire: ['Annuaire', 'Mairies, associations et entreprises, avec leurs coordonnées.'],
      defibrillateurs: ['Défibrillateurs', 'Emplacement, accès et horaires, d’après le registre national.'],
    },
    api: 'Pour les applications',
    apiText: 'La même information, page par page et avec ses changements, par une interface documentée :',
  },
  screen: {
    of: (nom: string) => `Écran de ${nom}`,
    title: 'Sur un écran de la mairie',
    lead: 'Ouvrez cette adresse en plein écran : alertes, collectes, agenda et publications y passent tour à tour. Ajoutez « ?secteur=… » pour un seul secteur.',
  },
  integrer: {
    title: 'Intégrer à un site',
    lead: (nom: string) =>
      `Copiez l’un de ces extraits dans une page de votre site : il montre ce que ${nom} publie ici, toujours à jour.`,
  },
  form: {
    reference: 'Votre référence, à rappeler si vous nous écrivez :',
    titles: {
      error: (title: string) => `Erreur\u00a0: ${title}`,
      done: (title: string) => `Envoyé\u00a0: ${title}`,
    },
    send: 'Envoyer',
    optional: '(facultatif)',
    choose: 'Choisissez',
    nom: 'Votre nom',
    email: 'Votre adresse électronique',
    emailFormat: 'Sous la forme nom@exemple.fr.',
    telephone: 'Votre téléphone',
    trap: 'Laissez ce champ vide',
    limited: 'Vous avez envoyé beaucoup de demandes. Rien n’est perdu : votre texte est ci-dessous.',
    unavailable: 'Le service est momentanément indisponible. Rien n’est perdu : votre texte est ci-dessous.',
    again: (seconds: number) => `Réessayez dans ${duration(seconds)}.`,
    late: 'Le formulaire a expiré, ou a été envoyé trop vite. Rien n’est perdu : relisez, puis envoyez de nouveau.',
  },
  report: {
    title: 'Signaler cette publication',
    lead: 'Votre signalement est lu par les personnes qui modèrent le site. Son auteur ne saura pas qu’il vient de vous.',
    category: 'Ce qui ne va pas',
    categories: {
      spam: 'C’est de la publicité indésirable',
      inappropriate: 'C’est choquant ou illégal',
      wrong: 'C’est faux ou périmé',
      duplicate: 'C’est publié deux fois',
      personal: 'Cela parle de moi',
      other: 'Autre chose',
    },
    message: 'Précisions',
    reach: 'Pour vous dire ce que devient votre signalement. Personne d’autre ne la voit.',
    done: 'Merci. Votre signalement a bien été reçu. Une personne va le lire.',
    next: 'Si vous avez donné une adresse, un message y arrive bientôt.',
    confirm: {
      title: 'Confirmer mon adresse',
      lead: 'Cette adresse a servi à signaler une publication. Si c’est bien la vôtre, confirmez-la : vous ne manquerez aucune réponse.',
      button: 'C’est mon adresse',
      done: 'Merci. Cette adresse est confirmée.',
      gone: 'Cette adresse n’est plus enregistrée : il n’y a plus de réponse en attente.',
    },
  },
  complaint: {
    title: 'Contester une décision',
    decided: (title: string, restriction: 'rejected' | 'hidden' | 'deleted' | 'unfeatured' | 'deactivated') =>
      ({
        rejected: `« ${title} » a été rejetée.`,
        hidden: `« ${title} » n’est plus visible.`,
        deleted: `« ${title} » a été supprimée.`,
        unfeatured: `« ${title} » n’est plus mise en avant.`,
        deactivated: `« ${title} » n’est plus visible.`,
      })[restriction],
    left: (title: string) => `« ${title} », que vous aviez signalée, est restée visible.`,
    on: (day: string) => `La décision est du ${day}.`,
    byRule: 'Une règle automatique l’a prise.',
    why: (reason: string) => `Voici ce qui vous a été écrit : ${reason}`,
    limit: (day: string) =>
      `Dites ici pourquoi vous n’êtes pas d’accord, jusqu’au ${day}. Une autre personne que celle qui a décidé lira votre réclamation, et vous répondra par courriel.`,
    text: 'Pourquoi vous n’êtes pas d’accord',
    hint: 'De 20 à 5 000 caractères.',
    button: 'Envoyer ma réclamation',
    done: 'Merci. Votre réclamation a bien été reçue : une autre personne que celle qui a décidé va la lire, et vous répondra par courriel.',
    closed: {
      done: 'Vous avez déjà contesté cette décision. La réponse arrive par courriel.',
      lifted: 'Cette décision ne tient plus : il n’y a plus rien à contester.',
      late: 'Cette décision ne peut plus être contestée : elle pouvait l’être pendant six mois.',
      gone: 'Cette décision n’est plus enregistrée.',
    },
  },
  claim: {
    title: (nom: string) => `Revendiquer la page de ${nom}`,
    lead: 'Vous représentez cette organisation ? Dites-le : une personne vérifie votre demande avant de vous confier la page.',
    message: 'Qui êtes-vous, et quel est votre lien avec cette organisation ?',
    hint: 'Par exemple : présidente de l’association depuis 2021.',
    reach:
      'Sans adresse ni téléphone, personne ne peut vous répondre : gardez alors la référence qui s’affichera.',
    owned:
      'Cette page a déjà un responsable. Écrivez seulement si ce n’est pas la bonne personne : l’équipe du site tranchera.',
    pending: 'Quelqu’un a déjà demandé cette page\u00a0: une personne examine sa demande.',
    signedIn:
      'Ce site n’accepte que les demandes de personnes connectées : ce formulaire n’y est pas ouvert. Connectez-vous à votre espace, ou écrivez-nous.',
    signIn: 'Se connecter à l’espace des mairies et associations',
    link: 'Revendiquer cette page',
    done: 'Merci. Votre demande a bien été reçue ; elle sera examinée par une personne.',
  },
  inscrire: {
    title: 'Inscrire une association ou un commerce',
    titleIn: (nom: string) => `Inscrire une association ou un commerce de ${nom}`,
    link: 'Votre association ou votre commerce n’y est pas ? Inscrivez-le',
    lead: 'Une personne lit votre demande. Si elle l’accepte, la page paraît dans l’annuaire et vous est confiée : vous y publierez vos événements.',
    nom: 'Nom de l’association ou du commerce',
    type: 'De quoi s’agit-il ?',
    types: {
      association: 'Une association',
      commerce: 'Un commerce ou une entreprise',
      ecole: 'Une école',
      service: 'Un service',
      autre: 'Autre chose',
    },
    done: 'Merci. Votre demande a bien été reçue ; la page paraîtra quand une personne l’aura acceptée.',
  },
  contact: {
    title: 'Nous écrire',
    lead: 'Une question, une erreur à signaler sur ce site : une personne vous répondra à l’adresse que vous indiquez.',
    subject: 'Objet',
    body: 'Votre message',
    done: 'Merci. Votre message a bien été reçu.',
    noMail:
      'Aucun serveur de courriel n’est encore réglé : la réponse attendra dans la boîte d’envoi de l’installation.',
  },
  abonnement: {
    title: (nom: string) => `S’abonner aux messages de ${nom}`,
    short: 'Recevoir les messages',
    lead: 'Recevez les alertes de la commune dès leur publication, un rappel la veille des collectes, ou ses publications une fois par semaine. Il ne faut pas de compte, et un clic suffit pour ne plus rien recevoir.',
    emailHint: 'Elle est conservée chiffrée et ne sert qu’à ces envois.',
    channel: 'Comment ?',
    byMail: 'Par courriel',
    byPush: 'Par des notifications sur cet appareil',
    byPushHint:
      'Sans donner d’adresse : votre navigateur vous demandera votre accord, et cela suffit. Elles s’affichent même quand cette page est fermée.',
    pushRefused:
      'Votre navigateur refuse les notifications de ce site. Autorisez-les dans ses réglages, puis recommencez, ou choisissez le courriel.',
    pushFailed:
      'Votre navigateur n’a pas pu s’inscrire aux notifications. Réessayez, ou choisissez le courriel.',
    pushInvalid: 'n’est pas celle d’un navigateur : réessayez, ou choisissez le courriel',
    onDevice: 'Cet appareil reçoit déjà des notifications',
    onDeviceLead: 'Vous pouvez voir ce qu’il reçoit, le changer, ou ne plus rien recevoir.',
    onDeviceOpen: 'Voir mon abonnement',
    alertes: 'Alertes',
    alertesOf: (nom: string) => `Alertes de ${nom}`,
    levels: { all: 'Toutes', urgent: 'Seulement les urgences', none: 'Aucune' },
    collectes: 'Rappel des collectes, la veille',
    collectesOf: (nom: string) => `Rappel des collectes de ${nom}, la veille`,
    never: 'Non',
    hour: (hour: number) => `Oui, à ${hour} h`,
    address: 'Votre adresse, pour les jours de collecte',
    addressOf: (nom: string) => `Votre adresse à ${nom}, pour les jours de collecte`,
    addressHint:
      'Exemple : 12 rue de la République. Nous n’en gardons que le secteur. « Je ne sais pas » : laissez vide, vous recevez les collectes de tous les secteurs.',
    addressChanges:
      'Pour changer de secteur. Exemple : 12 rue de la République. Nous n’en gardons que le secteur. Sans adresse, le secteur choisi ci-dessus compte.',
    addressSeveral: (secteurs: string) => `est dans plusieurs secteurs (${secteurs}) : ajoutez le numéro`,
    addressUnknown: (suggestions: string) =>
      `n’est dans aucun secteur connu${suggestions && ` ; vouliez-vous dire : ${suggestions} ?`}`,
    secteur: 'Votre secteur de collecte',
    secteurOf: (nom: string) => `Votre secteur de collecte à ${nom}`,
    everywhere: 'Tous les secteurs',
    actualites: 'Publications de la semaine',
    actualitesOf: (nom: string) => `Publications de la semaine : ${nom}`,
    weekly: 'Oui, chaque vendredi',
    asked:
      'Un courriel part vers cette adresse. Ouvrez la page qu’il indique, et confirmez : rien n’est envoyé avant. Si vous avez déjà reçu ce courriel il y a moins d’une heure, il n’en part pas d’autre : son lien vaut aussi pour cette demande.',
    askedDelayed:
      'Votre demande est notée, mais les courriels sont retardés en ce moment : celui qui demande de confirmer attend, et partira de lui-même. Ouvrez alors la page qu’il indique, et confirmez : rien n’est envoyé avant. Il n’est pas utile de recommencer.',
    askedNoMail:
      'Aucun serveur de courriel n’est encore réglé : le courriel qui demande de confirmer attend dans la boîte d’envoi de l’installation, et ne part pas de lui-même. Ouvrez la page qu’il indique, et confirmez : rien n’est envoyé avant.',
    link: 'Recevoir ces alertes',
    mine: 'Votre abonnement',
    mineLead:
      'Il reste à confirmer : rien n’est envoyé avant. Vous pourrez ensuite le changer à tout moment.',
    mineConfirmed: 'Voici ce que vous recevez. Vous pouvez le changer à tout moment.',
    save: 'Enregistrer',
    pending: 'À confirmer',
    pendingLead:
      'Demandé avec votre adresse, sans doute par vous. Sans confirmation, rien n’est envoyé, et la demande est effacée après 48 heures.',
    confirm: (nom: string) => `Confirmer : ${nom}`,
    refuse: (nom: string) => `Refuser : ${nom}`,
    inWords: {
      alertes: { all: 'Toutes les alertes', urgent: 'Les alertes urgentes seulement' },
      collectes: (hour: number, secteur: string | null) =>
        `Un rappel des collectes, la veille à ${hour} h${secteur === null ? '' : `, secteur ${secteur}`}`,
      actualites: 'Les publications de la semaine, chaque vendredi',
    },
    saved:
      'C’est confirmé. Le lien de cette page reste le vôtre : il sert à changer d’avis et à vous désabonner.',
    leave: 'Se désabonner',
    leaveOf: (nom: string) => `Ne plus rien recevoir de ${nom}`,
    leaveAll: 'Ne plus rien recevoir, et effacer mon adresse',
    leaveAllPush: 'Ne plus rien recevoir sur cet appareil',
    minePush: 'Voici ce que cet appareil reçoit en notifications. Vous pouvez le changer à tout moment.',
    left: 'Vous êtes désinscrit',
    leftOf: (noms: string) => `Vous êtes désinscrit : ${noms}`,
    gone: 'Cet abonnement n’existe plus, et plus rien n’est envoyé. S’il attendait encore d’être confirmé, les 48 heures sont passées.',
    now: 'Ce que vous recevez maintenant',
    change: 'Changer',
    leftSome: (noms: string) =>
      `C’est fait : vous ne recevrez plus rien de ${noms}. Un message déjà parti peut encore arriver.`,
    remains: (noms: string) => `Votre abonnement continue pour : ${noms}.`,
    leftLead: 'C’est fait : plus rien ne sera envoyé. Un message déjà parti peut encore arriver.',
    nothing: 'choisissez au moins un envoi, ou désabonnez-vous',
  },
  rules: {
    title: 'Règles de publication',
    description:
      'Ce qui peut faire refuser, masquer ou supprimer une publication, et ce que chacun peut faire ensuite.',
    kinds: { rule: 'Règles du site', law: 'Ce que la loi interdit' },
    next: 'Ce qui se passe ensuite',
    steps: [
      'Une personne décide ; aucune machine ne le fait seule. L’auteur reçoit la règle ou la loi en cause et la raison. Il peut corriger et renvoyer sa publication.',
      'Chacun peut signaler une publication par le lien sous celle-ci.',
    ],
  },
  transparency: {
    title: 'Modération en chiffres',
    description:
      'Ce qui a été signalé, décidé et contesté, par année. Aucun chiffre ne dit de qui il s’agit.',
    of: (nom: string) => `Modération en chiffres à ${nom}`,
    all: 'Les chiffres de toutes les communes',
    file: 'Télécharger les chiffres de chaque commune (CSV)',
    years: 'Années',
    none: 'Rien n’a encore été signalé ni décidé.',
    noneIn: (year: number) => `Rien n’a été signalé ni décidé en ${year}.`,
    small: (least: number) => `Les nombres inférieurs à ${least} ne sont pas donnés.`,
    daily: 'Les chiffres sont établis chaque nuit.',
    few: (least: number) => `moins de ${least}`,
    delay: (median: string, p95: string, count: string) =>
      `Délai entre le premier signalement et la décision d’une personne\u00a0: ${median} h pour la moitié des ${count} cas, ${p95} h pour 95 % d’entre eux.`,
    parts: { reports: 'Signalements', grounds: 'Décisions', complaints: 'Réclamations' },
    figures: {
      reports: 'Par motif',
      outcomes: 'Ce qu’ils sont devenus',
      grounds: 'Par règle ou loi',
      restrictions: 'Par effet',
      by_report: 'Après un signalement',
      by_machine: 'Part d’une machine',
      complaints: 'Par issue',
    },
    values: {
      reports: {
        spam: 'Publicité indésirable',
        inappropriate: 'Choquant ou illégal',
        wrong: 'Faux ou périmé',
        duplicate: 'Publié deux fois',
        personal: 'Parle de la personne qui signale',
        other: 'Autre',
        none: 'Sans motif',
      },
      outcomes: {
        kept: 'Publication maintenue',
        unfounded: 'Signalement non retenu',
        corrected: 'Publication corrigée',
        rejected: 'Publication refusée',
        duplicate: 'Doublon retiré',
        hidden: 'Publication masquée',
        deleted: 'Publication supprimée par la modération',
        withdrawn: 'Publication retirée par son auteur',
        deactivated: 'Acteur désactivé',
        expired: 'Classé\u00a0: l’événement est passé',
      },
      grounds: {},
      restrictions: {
        rejected: 'Publications refusées',
        hidden: 'Publications masquées',
        deleted: 'Publications supprimées',
        unfeatured: 'Publications retirées de la une',
        deactivated: 'Acteurs désactivés',
      },
      by_report: { true: 'Après un signalement', false: 'Sans signalement' },
      by_machine: {
        true: 'Repéré par une machine, décidé par une personne',
        false: 'Repéré et décidé par une personne',
      },
      complaints: { upheld: 'Décision maintenue', reversed: 'Décision annulée' },
    },
    columns: {
      year: 'annee',
      nom: 'commune',
      code_insee: 'code_insee',
      figure: 'chiffre',
      value: 'valeur',
      label: 'libelle',
      count: 'nombre',
    },
  },
  legal: {
    title: 'Mentions légales',
    law: 'Informations dues au titre de l’article 1-1 de la loi n° 2004-575 du 21 juin 2004 pour la confiance dans l’économie numérique.',
    owner: 'Éditeur du site',
    director: 'Directeur ou directrice de la publication',
    host: 'Hébergeur',
    contact: 'Contact',
    unset: 'L’exploitant de ce site ne l’a pas encore indiqué.',
    content: 'Contenus',
    authors:
      'Chaque publication est écrite par l’acteur qu’elle nomme. Un lien sous chacune permet de la signaler : une personne lit chaque signalement.',
    data: 'Les communes, les élus, les défibrillateurs et les adresses proviennent de données publiques (Licence Ouverte 2.0).',
    software: 'Ce site est servi par Parvis, un logiciel libre sous licence MIT.',
  },
  privacy: {
    title: 'Confidentialité',
    reading: 'Quand vous lisez ce site',
    read: [
      'Ce site ne dépose aucun cookie et n’appelle aucun service tiers.',
      'Il compte combien de fois par jour la page d’une commune, d’un acteur ou d’une publication est ouverte, pour ceux qui l’écrivent. Seuls ces nombres sont conservés : ni adresse, ni identifiant, ni rien qui relie deux lectures.',
      'Votre navigateur garde une copie de la dernière page de commune que vous avez vue, et de ses collectes, pour que vous les retrouviez hors connexion. Elle ne quitte pas votre appareil. Une autre commune la remplace, et effacer les données de ce site dans votre navigateur l’efface.',
      'Quelques pages ont un script : celui des communes garde cette copie, celui de l’abonnement propose des notifications, celui d’« Autour de moi » demande, quand vous appuyez, la position de votre appareil, à cent mètres près ; celui de la carte des défibrillateurs demande à ce serveur ceux de l’endroit que vous regardez. Rien de cela n’est noté ni conservé.',
      'Le serveur tient un journal technique de courte durée, avec l’adresse réseau abrégée de chaque demande, pour repérer les pannes et les abus.',
    ],
    writing: 'Quand vous nous écrivez',
    written: [
      'Un signalement, une revendication ou un message est conservé avec ce que vous y écrivez, pour y répondre. Les personnes qui modèrent le site le lisent.',
      'Si vous vous abonnez aux messages d’une commune ou d’un groupement, votre adresse est conservée chiffrée, avec ce que vous avez choisi de recevoir, jusqu’à ce que vous vous désabonniez. Sans confirmation, elle est effacée après 48 heures.',
      'Si vous choisissez les notifications, il n’y a pas d’adresse électronique : ce qui est conservé chiffré est l’adresse que votre navigateur a reçue du service de son éditeur (Google, Mozilla, Apple ou Microsoft), avec ses clés. Ce service achemine les messages sans pouvoir les lire. Elle est effacée dès que vous vous désabonnez, ou que votre navigateur ne les accepte plus.',
    ],
    rights: 'Vos droits',
    asked:
      'Vous pouvez demander à voir, à corriger ou à effacer ce qui est conservé de vous, et vous y opposer (articles 15 à 21 du RGPD). Écrivez au responsable du site :',
    cnil: 'Si la réponse ne vous satisfait pas, vous pouvez saisir la CNIL',
  },
  accessibility: {
    title: 'Accessibilité',
    heading: 'Déclaration d’accessibilité',
    footer: (state: string) => `Accessibilité : ${state}`,
    states: { none: 'non conforme', partial: 'partiellement conforme', full: 'totalement conforme' },
    engaged: (owner: string) =>
      `${owner} s’engage à rendre ce site accessible, conformément à l’article 47 de la loi n° 2005-102 du 11 février 2005.`,
    anonymous: 'L’exploitant de ce site',
    state: 'État de conformité',
    conforms: (state: string) =>
      `Ce site est ${state} avec le référentiel général d’amélioration de l’accessibilité (RGAA), version 4.1.`,
    unaudited: 'Il n’a pas encore été audité : rien n’établit qu’il respecte chacun des critères.',
    results: 'Résultats des tests',
    audited: (auditor: string, date: string, rate: string) =>
      `L’audit réalisé par ${auditor} le ${date} révèle que ${rate} % des critères du RGAA sont respectés.`,
    report: 'Lire le rapport d’audit',
    automatic:
      'À chaque modification du logiciel, les pages listées ci-dessous sont vérifiées automatiquement : structure, contrastes, clavier, affichage à 320 pixels de large, lecture sans scripts. Ces vérifications ne remplacent pas un audit.',
    gaps: 'Contenus non accessibles',
    exempt:
      'Les images que leurs auteurs ont décrites portent cette description. Les autres sont décoratives : elles n’ont pas de texte de remplacement, et ce qu’elles montrent peut manquer dans le texte. Les textes viennent de leurs auteurs et n’ont pas été vérifiés un à un.',
    plan: 'Plan d’action',
    planned: {
      unaudited: [
        'Faire auditer le site par un tiers, et publier ici le taux de conformité et le rapport.',
        'Corriger ce que l’audit relève.',
      ],
      audited: ['Corriger ce que l’audit relève, puis faire vérifier les corrections.'],
      always: 'Traiter chaque difficulté signalée par l’adresse ci-dessous.',
    },
    date: 'Établissement de la déclaration',
    made: (date: string) => `Cette déclaration a été établie le ${date}, à la suite de l’audit.`,
    madeWithout: 'Cette déclaration a été établie sans audit. Elle le restera jusqu’au premier.',
    scope: 'Elle vaut pour les pages publiques de ce site.',
    technologies: 'Technologies utilisées',
    used: ['HTML5', 'CSS', 'SVG', 'JavaScript, sur la seule page d’abonnement, qui fonctionne sans'],
    tools: 'Outils de vérification',
    toolNames: [
      'axe-core, par Chromium, clair et sombre, en grand et à la taille d’un téléphone',
      'html-validate',
      'navigation au clavier, sans scripts, à 320 pixels de large et à l’impression',
    ],
    pages: 'Pages vérifiées',
    home: 'Accueil',
    ofEach: [
      'les pages d’une commune : accueil, publications, agenda, collectes, alertes, actes, élus, annuaire, défibrillateurs, abonnement',
      'la page d’une publication, celle d’un acte, et celle d’un acteur, avec leurs formulaires',
    ],
    help: 'Retour d’information et contact',
    contact:
      'Si vous n’arrivez pas à accéder à un contenu ou à un service, écrivez au responsable du site, qui vous orientera vers une alternative accessible ou vous l’enverra sous une autre forme :',
    form: 'par le formulaire de contact',
    remedies: 'Voies de recours',
    defender:
      'Si vous avez signalé un défaut d’accessibilité qui vous empêche d’accéder à un contenu ou à un service, et que vous n’avez pas obtenu de réponse satisfaisante, vous pouvez :',
    ways: {
      write: 'écrire un message au Défenseur des droits',
      delegate: 'contacter le délégué du Défenseur des droits dans votre région',
      post: 'envoyer un courrier par la poste, gratuitement et sans timbre : Défenseur des droits, Libre réponse 71120, 75342 Paris CEDEX 07',
    },
  },
} as const

const day = new Intl.DateTimeFormat('fr', { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' })
const dayOfYear = new Intl.DateTimeFormat('fr', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const shortMonth = new Intl.DateTimeFormat('fr', { timeZone: 'UTC', month: 'short' })
const month = new Intl.DateTimeFormat('fr', { timeZone: 'UTC', month: 'long', year: 'numeric' })
const moment = new Intl.DateTimeFormat('fr', {
  timeZone: 'Europe/Paris',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

const first = (text: string) => text.replace(/(^|\s)1 (?=\p{L})/u, '$11er ')
/** `mardi 24 novembre`; with its year unless that is the one of `today`. */
export const dayInWords = (date: string, today: string | null) => {
  const year = date.slice(0, 4)
  return `${first(day.format(new Date(`${date}T00:00:00Z`)))}${year === today?.slice(0, 4) ? '' : ` ${year}`}`
}
/** `aujourd’hui jeudi 26`, `demain vendredi 27`, `lundi 30 novembre`; with the year unless that is the one of `today`. */
export function dayNear(date: string, today: string): string {
  const word = nearWord(date, today)
  if (word === null) return dayInWords(date, today)
  const [weekday = '', number = ''] = dayInWords(date, today).split(' ')
  return `${word} ${weekday} ${number}`
}
/** `demain`, `vendredi` within a week, then `lundi 4 janvier 2027`. */
export const dayAhead = (date: string, today: string): string =>
  nearWord(date, today) ??
  (date < daysLater(today, 7) ? (dayInWords(date, today).split(' ')[0] ?? '') : dayInWords(date, today))

const nearWord = (date: string, today: string) =>
  date === today ? 'aujourd’hui' : date === daysLater(today, 1) ? 'demain' : null

/** `24 novembre 2026` */
export const dateInWords = (date: string) => first(dayOfYear.format(new Date(`${date}T00:00:00Z`)))
/** `24`, `nov.` */
export const dayOfMonth = (date: string): [string, string] => [
  `${Number(date.slice(8))}`,
  shortMonth.format(new Date(`${date}T00:00:00Z`)),
]
/** `novembre 2026` */
const weekday = new Intl.DateTimeFormat('fr', { weekday: 'short', timeZone: 'UTC' })
/** "sam." */
export const shortWeekday = (date: string) => weekday.format(new Date(`${date}T00:00:00Z`))
export const monthInWords = (date: string) => month.format(new Date(`${date.slice(0, 7)}-01T00:00:00Z`))
/** `24 novembre 2026 à 20:30` */
export const momentInWords = (at: Date | string) => first(moment.format(new Date(at)))

const kilobytes = new Intl.NumberFormat('fr', { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 })
const megabytes = new Intl.NumberFormat('fr', { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })
/** `12 ko`, `3,8 Mo` */
export const fileSize = (bytes: number): string =>
  bytes < 1e6 ? kilobytes.format(Math.ceil(bytes / 1e3)) : megabytes.format(bytes / 1e6)

type Dates = Partial<Record<'date_debut' | 'date_fin' | 'heure_debut' | 'heure_fin', string | null>> & {
  recurrence?: Recurrence | null
  derniere_date?: string | null
  nombre_dates?: number | null
}

const joined = new Intl.ListFormat('fr')
/** `Bouguenais, Nantes et Rezé` */
export const namesInWords = (names: readonly string[]): string => joined.format(names)
const ranks = { 1: '1er', 2: '2e', 3: '3e', 4: '4e', [-1]: 'dernier' }

/** "Chaque mardi et vendredi", "Le lundi, une semaine sur 2", "Le 2e mercredi du mois"; null for dates alone. */
export function rhythmInWords({ jours, toutes_les_semaines: weeks, rang }: CollecteSchedule): string | null {
  const days = JOURS.filter((jour) => jours.includes(jour))
  if (days.length === 0) return null
  if (rang !== null) return `Le ${ranks[rang]} ${joined.format(days)} du mois`
  if (weeks === 1) return `Chaque ${joined.format(days)}`
  return `${capital(joined.format(days.map((jour) => `le ${jour}`)))}, une semaine sur ${weeks}`
}

/** The dates of a publication in words; null if it has none. One day has its year unless that is the one of `today`. */
export function whenInWords(
  { date_debut, date_fin, heure_debut, heure_fin, ...series }: Dates,
  today: string | null = null,
): string | null {
  if (date_debut && series.recurrence)
    return repeatsInWords(
      series,
      date_debut,
      hoursOf({ heure_debut: heure_debut ?? null, heure_fin: heure_fin ?? null }),
    )
  if (!date_debut) return date_fin ? `Jusqu’au ${dateInWords(date_fin)}` : null
  const isLong = date_fin !== null && date_fin !== undefined && date_fin !== date_debut
  if (isLong) {
    const from = heure_debut ? `, ${hour(heure_debut)},` : ''
    const to = heure_fin ? `, ${hour(heure_fin)}` : ''
    return `Du ${firstDayInWords(date_debut, date_fin, from !== '')}${from} au ${dateInWords(date_fin)}${to}`
  }
  const hours = !heure_debut
    ? ''
    : heure_fin
      ? `, ${hoursOf({ heure_debut, heure_fin })}`
      : ` ${hoursOf({ heure_debut })}`
  return `${capital(dayInWords(date_debut, today))}${hours}`
}

/** `Chaque samedi de 8 h à 12 h, jusqu’au 26 juin 2027`, `6 dates à 20 h, jusqu’au 16 février 2027` */
function repeatsInWords(
  { recurrence, derniere_date, nombre_dates }: Dates,
  first: string,
  hours: string,
): string {
  const rule = ruleInWords(recurrence?.regle ?? '', first, 'fr') ?? `${nombre_dates} dates`
  return `${capital(rule)}${hours && ` ${hours}`}, jusqu’au ${dateInWords(derniere_date ?? first)}`
}

/** The first of several days, without the month and the year that the last one names: `4`, `4 octobre`. */
function firstDayInWords(from: string, to: string, hasHour: boolean): string {
  const words = dateInWords(from)
  if (from.slice(0, 4) !== to.slice(0, 4)) return words
  const [day = '', month = ''] = words.split(' ')
  return from.slice(0, 7) === to.slice(0, 7) && !hasHour ? day : `${day} ${month}`
}

/** `de 20 h 30 à 22 h`, `à 8 h` */
export const hoursOf = ({ heure_debut, heure_fin = null }: Dates): string =>
  heure_debut && heure_fin
    ? `de ${hour(heure_debut)} à ${hour(heure_fin)}`
    : heure_debut
      ? `à ${hour(heure_debut)}`
      : ''

/** `20 h 30`, `8 h` */
const hour = (time: string) => {
  const [hours, minutes] = time.split(':')
  return `${Number(hours)} h${minutes === '00' ? '' : ` ${minutes}`}`
}

/** `moins d’une minute`, `12 minutes`, `3 heures` */
function duration(seconds: number): string {
  if (seconds < 60) return 'moins d’une minute'
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return minutes === 1 ? 'une minute' : `${minutes} minutes`
  const hours = Math.ceil(minutes / 60)
  return hours === 1 ? 'une heure' : `${hours} heures`
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
