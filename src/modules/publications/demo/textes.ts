import type { DemoGenre } from '../../acteurs/demo-acteurs.ts'

/**
 * What acteurs write, by genre. A text is a head and its paragraphs, one to a line; a line with a dash is an item of a
 * list. The head: `type`, `±days` to its first day (then the weekday it falls on), `pour` how many days, and the
 * title. What stands in braces is filled in from the place, the acteur and the date.
 */
export const acteurTextes: Record<DemoGenre, string> = {
  jardin: `
association +8 samedi | Bourse aux plants et aux graines
Le {jour} de 9 h à midi {place}. Un plant apporté, un plant emporté ; ceux qui n’ont rien repartent quand même avec une salade.

evenement +17 dimanche | Atelier taille : on ne coupe pas n’importe quoi
Sécateur à la main, on apprend à reconnaître un bouton à fleur d’un bouton à bois. Rendez-vous le {jour} à 9 h 30, devant le cabanon. Gants et bottes conseillés.

association | Il reste quatre parcelles
Trente mètres carrés chacune, de l’eau, du fumier et des voisins bavards. On attend de vous une demi-journée d’entretien commun par mois. Renseignements : {tel}.

evenement -12 samedi [after] | Grand chantier compost : merci !
Vingt-deux personnes, trois tonnes de broyat et un gâteau aux noix. Le tas fume déjà, il sera prêt dans six mois.`,

  entraide: `
association +5 samedi | Collecte de denrées devant le supermarché
Conserves, café, couches, produits d’hygiène : nous serons à la sortie des caisses le {jour}, de 9 h à 19 h. Une heure de votre temps nous aide autant qu’un caddie plein.

association | On cherche des bras le mardi soir
De 18 h à 20 h, pour éplucher, servir ou simplement s’asseoir et discuter. Aucune compétence demandée, sauf celle d’écouter. Écrivez à {email}.

annonce | Aide aux démarches : changement d’horaires
Les permanences ont lieu désormais {salle}.
- Lundi de 14 h à 17 h : impôts et allocations.
- Mercredi de 9 h à 12 h : titres de séjour, avec interprète.
- Vendredi : informatique, **apportez votre téléphone chargé**.

evenement +22 samedi | Repas partagé {du_quartier}
Chacun apporte un plat, on fournit les tables, les rires et le café. Le {jour} à partir de midi, {place}. L’an dernier : {plat}, et plus une miette à 14 h.`,

  sport: `
association +11 samedi | Portes ouvertes du club
Essai gratuit le {jour}, de 14 h à 17 h. Le matériel est prêté, les courbatures sont offertes. À partir de six ans, sans limite d’âge : notre doyenne en a quatre-vingt-un.

actualite | Victoire à l’arraché, et podium
Menés jusqu’au bout, les nôtres ont gagné dans les dernières minutes devant cent vingt personnes debout. Bravo aussi aux benjamins, troisièmes de leur poule.

evenement +29 dimanche | Course nature : 5, 12 et 23 kilomètres
Départ le {jour} à 8 h 30 {place}, parcours {nature}. Ravitaillement salé à l’arrivée : {plat}.
- Certificat ou parcours de prévention santé obligatoire.
- Gobelet personnel : aucun n’est distribué.
- Chiens tenus sur le 5 km seulement.

annonce | Le minibus cherche des conducteurs
Neuf places, des enfants très sages à l’aller et très bruyants au retour. Il nous manque deux parents pour les déplacements. Indemnité kilométrique et pizza comprises.

association | Assemblée générale : quorum, s’il vous plaît
Rapport moral, comptes, élection du bureau, pot. Sans la moitié des licenciés, il faudra recommencer. Rendez-vous {salle}.`,

  musique: `
evenement +14 vendredi | Concert {place}
Une heure et demie de musique le {jour} à 20 h 30, chapeau à la sortie. En cas d’averse, on joue {salle}, et l’acoustique y est même meilleure.

association | On recrute des voix graves
Les ténors fatiguent, les basses vieillissent bien mais elles sont trois. Aucune lecture de notes exigée : venez un mardi à 19 h 30.

evenement -6 samedi [after] | Salle comble pour la répétition publique
Le {jour}, il a fallu rajouter des bancs. Le rappel a duré plus longtemps que le concert. Enregistrement bientôt en ligne.

annonce | À vendre : piano droit, touches complètes
Accordé l’an dernier, un peu lourd, très patient. À prendre sur place avec quatre amis. Prix libre, au profit des cours d’enfants.`,

  scene: `
evenement +16 samedi pour 1 | « Le Malade imaginaire », en plein air
Les {jour} et {fin} à 21 h {place}. Apportez un coussin et une petite laine. Gratuit pour les moins de douze ans et pour les vrais malades.

association | Stage de masque et de clown
Deux jours pour apprendre à tomber sans se faire mal et à rater avec talent. Douze places, à partir de seize ans.

annonce | Cherchons fauteuil Voltaire, même bancal
Pour le second acte. Il sera assis dedans, malmené, puis rendu avec des remerciements au programme.

evenement +37 vendredi | Scène ouverte
Slam, chansons, poèmes ou recette du pays ({plat}) dite avec émotion : cinq minutes chacun, micro ouvert le {jour} à 20 h {salle}.`,

  patrimoine: `
evenement +10 dimanche | Visite guidée : ce que cachent les façades
Deux heures à pied, le {jour} à 10 h, départ {place}. On ouvre trois portes d’ordinaire fermées, et l’on finit par un verre.

association | Chantier de bénévoles : les murets
Pierre sèche, sans mortier et sans hâte. L’équipe se retrouve un samedi sur deux {nature}. Le pique-nique est tiré du sac, les histoires du fond des âges.

actualite | Un carnet de 1911 retrouvé dans un grenier
Recettes, comptes et amours d’une couturière {de_commune}. Nous cherchons sa famille : les initiales sont J. B., et elle n’aimait pas le poisson.

evenement -25 samedi [after] | Conférence : l’eau, les lavoirs et les disputes
Soixante personnes {salle} pour entendre parler de robinets. Le compte rendu est disponible à l’accueil, les diapositives sur demande.`,

  nature: `
evenement +7 dimanche | Grand ramassage
Rendez-vous le {jour} à 9 h, {nature}. Gants et sacs fournis, café offert, pesée publique à midi. La dernière fois : cent soixante kilos et un dentier.

association | Comptage des oiseaux : mode d’emploi
Choisissez un endroit, restez-y une heure, notez ce que vous voyez, même si c’est un merle. Les fiches se rendent par courriel à {email}.

alerte +1 pour 12 | Sentier fermé : éboulement
Le passage habituel est coupé au moins jusqu’au {fin}. Une déviation est balisée en jaune. Ne franchissez pas les barrières, même « juste pour la photo ».

evenement +31 samedi | Sortie nuit : chauves-souris et étoiles
Départ à la tombée du jour, le {jour}. Lampe rouge, vêtements sombres, silence. Vingt personnes au plus : inscription obligatoire ({tel}).`,

  fete: `
evenement +12 dimanche | Vide-grenier {du_quartier}
Deux cents exposants le {jour}, de 7 h à 18 h, {place}. Emplacement à 3 € le mètre. Buvette et {plat} toute la journée.

evenement +26 samedi | Grand bal et feu de joie
Orchestre à 21 h le {jour}, {place}. On danse la valse, la bourrée et ce que les jeunes demandent. Repas à 18 € : {plat}, fromage, dessert.

association | Il manque deux frigos et trente bénévoles
Montage le vendredi, service le samedi, démontage le dimanche avec la tête dans le sac. Une réunion pour tout répartir a lieu {salle}.

evenement -18 samedi [after] | Concours de belote : les résultats
Soixante-douze doublettes le {jour}, un jambon, deux paniers garnis et aucune dispute, ce qui est un record.`,

  fournil: `
commerce | Fermeture annuelle, puis nouvelle fournée
Le four se repose deux semaines, nous aussi. Dépôt de pain chez le voisin pendant ce temps, sauf le lundi.

commerce | Le pain de la semaine : seigle et noix
Levain de trois jours, croûte épaisse, se garde une semaine dans un torchon. À commander la veille ({tel}).

annonce | Cherche apprenti ou apprentie
Lever à trois heures, croissants à volonté, patronne exigeante mais drôle. Contrat de deux ans.

commerce +6 samedi | Atelier enfants : façonne ton petit pain
Le {jour} à 14 h 30, dix enfants, beaucoup de farine. Tablier fourni, chacun repart avec sa fournée.`,

  librairie: `
evenement +15 jeudi | Rencontre et signature
Une romancière du pays lit, répond, signe et reste pour le verre. Le {jour} à 19 h, entrée libre, chaises comptées.

commerce | Les coups de cœur du mois
- Un polar qui se passe dans une déchetterie.
- Un album sans paroles, pour ceux qui ne savent pas lire et ceux qui n’en peuvent plus.
- Un essai sur les haies, **beaucoup plus drôle qu’il n’y paraît**.

commerce | Livres scolaires : la liste avant le 30
Déposez votre liste, nous commandons le tout et vous prévenons par message. Reprise des livres d’occasion en bon état.

evenement +33 samedi | Nuit de la lecture
Pyjamas acceptés. On lit à voix haute jusqu’à minuit, on sert une soupe à 22 h. C’est le {jour}.`,

  table: `
commerce | À l’ardoise cette semaine
{plat} : à la carte tous les midis, du mardi au samedi. Réservation conseillée ({tel}), la salle compte vingt-six places, pas vingt-sept.

annonce | On embauche en salle
Deux services, deux jours de repos d’affilée, pourboires partagés. Débutants bienvenus s’ils savent sourire et porter trois assiettes.

evenement +18 vendredi | Soirée musicale et menu unique
Accordéon, guitare et {plat} pour 24 €, le {jour} à partir de 19 h 30.

commerce | Bocaux consignés : rapportez-les
Soupes, terrines et compotes se vendent désormais au bocal. Un euro de consigne, rendu sans discuter.`,

  ferme: `
commerce +4 vendredi | Vente à la ferme
Tous les vendredis de 16 h à 19 h, à partir du {jour}. Paniers à 12 ou 20 €, espèces et chèques, les sacs sont à vous.

commerce | Paniers : on change de formule
Plus petits, plus souvent, et toujours une recette dedans. Abonnement au mois, pause possible pendant les vacances.

evenement +24 dimanche | Portes ouvertes à la ferme
Visite à 10 h et à 15 h le {jour}, dégustation, atelier pour les enfants. Bottes recommandées, talons à vos risques.

annonce | Cherche saisonniers, logement possible
Six semaines de récolte, équipe de huit, repas de midi pris ensemble. Écrivez à {email}.`,

  ecole: `
actualite | Les élèves ont écrit leur journal
Douze pages, une interview de la dame de la cantine, un dossier sur les crapauds. Tirage : cent exemplaires, déjà introuvable.

evenement +21 samedi | Kermesse et vente de gâteaux
Le {jour} à partir de 10 h dans la cour. Pêche à la ligne, chamboule-tout, et la directrice sur la chaise du plouf.

annonce | Inscriptions en petite section
Sur rendez-vous le mardi et le jeudi. Carnet de santé, justificatif de domicile et votre enfant, qui visitera sa classe.

annonce | Objets trouvés : venez trier
Dix-neuf bonnets, onze gourdes, une seule chaussure. Ce qui reste vendredi part à la ressourcerie.`,

  mediatheque: `
evenement +3 mercredi | Heure du conte
Le {jour} à 10 h 30, pour les trois à six ans et les grands qui les portent. Thème : les loups gentils.

actualite | Plus d’amendes de retard
Rendez vos livres quand vous voulez, mais rendez-les. Depuis que l’amende a disparu, les retours ont augmenté : allez comprendre.

evenement +28 samedi | Tournoi de jeux vidéo, catégorie grands-parents
Duo obligatoire avec un petit-enfant, le vôtre ou celui d’un autre. Le {jour} à 14 h.

annonce +38 | Fermeture pour inventaire
Quarante mille documents à compter à la main. Tout est prolongé d’office jusqu’au {jour}.`,

  sante: `
annonce | Une nouvelle médecin généraliste
Elle reçoit du lundi au jeudi, avec et sans rendez-vous. Priorité aux personnes sans médecin traitant. Secrétariat : {tel}.

evenement +19 mardi | Vaccination sans rendez-vous
Le {jour} de 9 h à 17 h. Apportez votre carnet si vous le retrouvez, venez quand même si vous ne le retrouvez pas.

actualite | Marcher sur ordonnance
Deux groupes par semaine, une heure {nature}, encadrés par une kiné. Le premier rendez-vous est gratuit.`,
}
