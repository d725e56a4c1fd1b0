/** What a commune tells in its own words, by INSEE code: "key: value", in the order of display. */
export function demoInfos(code: string) {
  return (infos[code] ?? []).map((line, index) => {
    const [cle = '', ...valeur] = line.split(': ')
    return { cle, libelle: libelles[cle] ?? cle, valeur: valeur.join(': '), position: index + 1 }
  })
}

const libelles: Record<string, string> = {
  adresse: 'Adresse de la mairie',
  telephone: 'Téléphone',
  email: 'Courriel',
  site_web: 'Site internet',
  horaires: 'Horaires d’ouverture',
  marche: 'Marché',
  dechetterie: 'Déchetterie',
  urgences: 'Urgences et astreinte',
  permanence: 'Permanence des élus',
  transports: 'Se déplacer',
  stationnement: 'Stationnement',
  bibliotheque: 'Bibliothèque',
  eau: 'Eau potable',
  alerte: 'Alerte à la population',
}

const infos: Record<string, string[]> = {
  // A complete mairie: everything here comes in addition, even a second telephone number.
  '75056': [
    'horaires: Du lundi au vendredi de 8 h 30 à 17 h, le samedi de 9 h à 12 h 30 pour l’état civil',
    'telephone: 01 99 00 39 75',
    'urgences: Fuite, chute d’arbre ou chaussée effondrée : 01 99 00 75 18, jour et nuit',
    'transports: Métro lignes 1 et 11, station Hôtel de Ville',
  ],
  '69123': [
    'horaires: Du lundi au vendredi de 8 h 45 à 16 h 45, le samedi matin sur rendez-vous',
    'marche: Boulevard de la Croix-Rousse, du mardi au dimanche de 6 h à 13 h 30 ; grand marché le mardi',
    'dechetterie: Quai Fillon (Gerland), tous les jours sauf les jours fériés ; badge gratuit à demander en ligne',
    'permanence: Adjoints de quartier le premier jeudi du mois, de 17 h à 19 h, sans rendez-vous',
  ],
  '35238': [
    'horaires: Du lundi au vendredi de 8 h 30 à 17 h, le jeudi à partir de 10 h',
    'marche: Marché des Lices, le samedi de 7 h 30 à 13 h 30 ; galette-saucisse sous la halle Martenot',
    'bibliotheque: Les Champs Libres, du mardi au dimanche ; inscription gratuite pour les Rennais',
  ],
  '67482': [
    'horaires: Du lundi au vendredi de 8 h 30 à 17 h 30 ; guichets ouverts jusqu’à 19 h le jeudi',
    'marche: Place Broglie, le mercredi et le vendredi de 7 h à 18 h ; fermé pendant le marché de Noël',
    'dechetterie: Rue de la Rotterdam, du lundi au samedi de 8 h à 19 h, le dimanche jusqu’à midi',
  ],
  '73065': [
    'horaires: Du lundi au vendredi de 8 h 30 à 12 h et de 13 h 30 à 17 h, le samedi de 9 h à 12 h',
    'marche: Sous les halles et place de Genève, le mardi et le samedi matin',
    'stationnement: Parking du Palais de justice, deux heures gratuites le samedi',
    'urgences: Astreinte technique la nuit et le week-end : 04 65 71 73 99',
  ],
  '93066': [
    'horaires: Du lundi au vendredi de 8 h 30 à 17 h 30 ; le mardi, ouverture à 13 h 30',
    'marche: Place Jean-Jaurès et sous la halle, le mardi, le vendredi et le dimanche de 7 h à 14 h',
    'permanence: Avocats et écrivains publics à la Maison de la justice et du droit, sur rendez-vous',
  ],
  '97411': [
    'horaires: Du lundi au jeudi de 8 h à 16 h, le vendredi jusqu’à 15 h',
    'marche: Petit marché, rue du Maréchal-Leclerc, du lundi au samedi de 6 h à 18 h ; marché du Chaudron le mercredi et le dimanche',
    'alerte: En alerte orange cyclonique, rentrez les bacs et n’attendez plus de collecte avant la levée de l’alerte',
  ],
  '2A004': [
    'horaires: Du lundi au vendredi de 8 h 30 à 16 h 30',
    'marche: Place Foch, du mardi au dimanche de 7 h à 13 h ; brocciu frais de novembre à juin',
    'urgences: Police municipale : 04 65 71 20 17, de 6 h à 2 h',
  ],
  '46240': [
    'horaires: Lundi, mardi, jeudi et vendredi de 9 h à 12 h',
    'stationnement: Laissez la voiture à L’Hospitalet et descendez à pied ; la Cité est piétonne de 9 h à 19 h',
    'marche: Marché fermier et fête des fromages le dimanche de Pentecôte',
  ],
  '29155': [
    'horaires: Du lundi au vendredi de 9 h à 12 h ; l’après-midi selon les bateaux',
    'transports: Départ du Stiff à 17 h ; navettes en car depuis Lampaul 45 minutes avant',
    'dechetterie: Site du Kermein, le mercredi et le samedi de 14 h à 17 h ; tout repart par bateau, triez bien',
    'urgences: Sauvetage en mer : 196 ; cabinet infirmier de l’île : 02 61 91 29 15',
  ],
  '12218': [
    'horaires: À Saint-Cyprien du lundi au vendredi de 9 h à 12 h, à Conques le mardi et le jeudi après-midi',
    'marche: Place de Saint-Cyprien, le dimanche matin',
    'permanence: Le maire reçoit le samedi matin, dans chacune des quatre communes déléguées à tour de rôle',
  ],
  // An incomplete mairie: these fill the gaps.
  '13055': [
    'email: allo-mairie@marseille.example',
    'horaires: Du lundi au vendredi de 8 h à 16 h 30 dans les bureaux municipaux de proximité',
    'marche: Poisson au Vieux-Port tous les matins ; fruits et légumes à Noailles, du lundi au samedi',
    'urgences: Déchets sauvages, éclairage en panne : 04 65 71 13 00, de 8 h à 18 h',
  ],
  '76351': [
    'telephone: 02 61 91 76 60',
    'site_web: https://www.le-havre.example',
    'horaires: Du lundi au vendredi de 8 h à 17 h, le samedi de 9 h à 12 h',
    'marche: Halles centrales, du lundi au samedi de 8 h à 19 h ; poissonnerie du quai de Southampton chaque matin',
  ],
  '85194': [
    'adresse: 21 place du Poilu-de-France, 85100 Les Sables-d’Olonne',
    'transports: Passeur entre La Chaume et le quai Guiné, de 6 h à minuit ; 1 h du matin en été',
    'marche: Halles centrales, tous les jours sauf le lundi ; tous les jours du 15 juin au 15 septembre',
  ],
  '97209': [
    'telephone: 05 36 49 97 20',
    'email: accueil@fort-de-france.example',
    'marche: Marché couvert, rue Blénac, du lundi au samedi de 6 h à 16 h',
    'alerte: Sirène d’essai le premier mercredi du mois à 11 h 45 ; tsunami : montez au-dessus de 15 mètres',
  ],
  '97302': [
    'adresse: 1 rue de Rémire, 97300 Cayenne',
    'email: contact@cayenne.example',
    'marche: Place Victor-Schœlcher, le mercredi, le vendredi et le samedi dès 6 h',
    'horaires: Lundi, mercredi et vendredi de 7 h 30 à 13 h 30, mardi et jeudi jusqu’à 17 h',
  ],
  // Two numbers: the first one fills the gap, the second one stays an addition.
  '2B096': [
    'telephone: 04 65 71 20 25',
    'telephone: 04 65 71 20 26',
    'horaires: Du lundi au vendredi de 8 h à 12 h et de 14 h à 17 h',
    'stationnement: La navette de la Restonica est obligatoire en juillet et en août',
  ],
  '69189': [
    'telephone: 04 65 71 69 56',
    'email: accueil@sainte-colombe-69.example',
    'horaires: Lundi, mercredi et vendredi de 9 h à 12 h, jeudi de 14 h à 18 h',
    'transports: Passerelle piétonne vers Vienne, ouverte jour et nuit sauf en crue du Rhône',
  ],
  '51410': [
    'adresse: 8 rue de la Libération, 51480 Œuilly',
    'horaires: Mardi et vendredi de 16 h à 18 h 30 ; fermé pendant les vendanges',
  ],
  '80829': [
    'horaires: Le jeudi de 17 h à 18 h 30',
    'bibliotheque: Boîte à livres dans l’ancienne cabine téléphonique, à toute heure',
  ],
  '68277': [
    'adresse: 11 rue du Château, 68340 Riquewihr',
    'telephone: 03 53 01 68 34',
    'email: mairie@riquewihr.example',
    'stationnement: Parkings payants hors les murs ; carte de résident à retirer en mairie',
  ],
  // No mairie: only the commune speaks.
  '33063': [
    'adresse: Place Pey-Berland, 33000 Bordeaux',
    'telephone: 05 36 49 33 00',
    'email: mairie@bordeaux.example',
    'site_web: https://www.bordeaux.example',
    'marche: Marché des Capucins, du mardi au dimanche de 6 h à 14 h ; huîtres et vin blanc jusqu’à la dernière',
    'horaires: Du lundi au vendredi de 8 h 30 à 18 h',
  ],
  '94038': [
    'adresse: 41 rue Jean-Jaurès, 94240 L’Haÿ-les-Roses',
    'telephone: 01 99 00 94 24',
    'horaires: Du lundi au vendredi de 8 h 30 à 12 h et de 13 h 30 à 17 h 30, le samedi matin pour l’état civil',
    'marche: Marché Locarno, le jeudi et le dimanche matin',
  ],
  '73054': [
    'telephone: 04 65 71 73 70',
    'site_web: https://www.bourg-saint-maurice.example',
    'transports: Funiculaire vers Arc 1600 toutes les vingt minutes, de 7 h 30 à 19 h 30 en saison',
    'alerte: Neige : ne laissez pas de voiture sur la voie publique entre 4 h et 8 h, les chasse-neige passent',
    'marche: Grande-Rue, le samedi matin ; beaufort d’alpage en septembre',
  ],
  '25515': ['telephone: 03 53 01 25 30', 'horaires: Mardi de 17 h à 19 h et samedi de 10 h à 11 h 30'],
  '06059': [
    'adresse: Place du Général-de-Gaulle, 06360 Èze',
    'email: accueil@eze.example',
    'stationnement: Parking du village complet dès 10 h en été ; prenez le car 82 depuis Nice',
    'eau: Arrosage interdit de 8 h à 20 h jusqu’à nouvel ordre',
  ],
  '97424': [
    'adresse: 66 rue du Père-Boiteau, 97413 Cilaos',
    'telephone: 02 61 91 97 41',
    'alerte: Route aux 400 virages fermée en cas de fortes pluies ; état de la route affiché en mairie',
    'marche: Place de l’Église, le dimanche de 6 h à midi ; lentilles nouvelles à partir d’octobre',
  ],
  '97611': [
    'adresse: Boulevard Halidi-Selemani, 97600 Mamoudzou',
    'telephone: 02 61 91 97 60',
    'eau: Tours d’eau : consultez le planning de votre quartier avant de remplir vos réserves ; faites bouillir à la reprise',
    'transports: Barge vers Petite-Terre toutes les demi-heures, de 5 h 30 à minuit',
  ],
  '24520': [
    'adresse: Place de la Liberté, 24200 Sarlat-la-Canéda',
    'telephone: 05 36 49 24 20',
    'marche: Le mercredi et le samedi ; marché aux truffes le samedi matin, de décembre à février',
    'horaires: Du lundi au vendredi de 8 h 30 à 12 h 15 et de 13 h 30 à 17 h',
    'site_web:  ',
  ],
  '60271': [
    'email: mairie@gerberoy.example',
    'horaires: Le samedi de 10 h à midi, sous le porche quand il fait beau',
  ],
  '97502': [
    'telephone: 05 36 49 97 50',
    'horaires: Du lundi au vendredi de 8 h 30 à midi et de 13 h 30 à 17 h 30, heure de Saint-Pierre',
    'transports: Navette de l’Île-aux-Marins de mai à octobre, quatre traversées par jour, sauf brume épaisse',
    'alerte: Avis de tempête affiché à la capitainerie ; les collectes sont alors remises au lendemain',
  ],
  '2B134': [
    'adresse: Place Paoli, 20220 L’Île-Rousse',
    'telephone: 04 65 71 20 22',
    'marche: Halle à colonnes, place Paoli, tous les matins de 8 h à 13 h',
    'site_web: https://www.ile-rousse.example',
  ],
}
